# SPDX-License-Identifier: GPL-2.0-or-later
"""What the algorithms share that aggregate regions by the records in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from importlib import import_module

from qgis.core import QgsGeometry

from ...core.aggregation.components import JOINING
from ...core.aggregation.gaps import GapsModel
from ...core.aggregation.vbas import gaps_model
from ...core.runtime import packages
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, interruptible, weighted
from ..base import GeoAnonAlgorithm
from ..i18n import mark, number_of, tr
from ..layers import counted_records, planes, records
from ..layers.areas import union_of
from ..layers.fieldnames import spelling
from ..layers.regions import read_regions
from . import clusters, value_groups
from .aggregation_inputs import CATEGORY, LEAVE_OUT
from .categories import declared_categories, groups_of_numbers
from .counting import Wish, count
from .demanding import check_demands, fields_of_demands, kept_of
from .regional import Data

GAPS_MODELS_SAID = mark("GAPS model {name}: an area needs {a:g} · X ^ {b:g} people.")


def load_charts(progress: Progress) -> None:
    """Have what draws charts loaded, which takes a second in which nobody could cancel."""
    if packages.find("matplotlib").usable:
        interruptible(lambda: import_module("matplotlib.backends.backend_svg"), progress, 1.0)


class AggregationAlgorithm(GeoAnonAlgorithm):
    """Base of the algorithms that aggregate regions; reads regions and records."""

    GROUP = "aggregateareas"
    REQUIRES = ("scipy",)

    # --- checking ----------------------------------------------------------------------------

    def check(self, given):
        """Check what does not need the data."""
        has_file = bool(given.text("RECORDS_FILE"))
        has_table = given.has("RECORDS")
        if has_file == has_table:
            return tr(
                "Choose a table of records, or give a Parquet file or a folder of them: one of the two."
            )
        counts = given.fields("COUNTS")
        if has_table and not given.fields("QIS") and len(counts) < 2:
            return tr("Choose at least one quasi-identifier.")
        if counts and given.field("PERSON_FIELD"):
            return tr(
                "A row stands for several people (COUNTS), or people have several rows (PERSON_FIELD): "
                "not both."
            )
        declared_categories(given.text("CATEGORIES"))
        groups_of_numbers(given.text("GROUPS"))
        needed = ["COUNTS"] if counts else []
        needed += ["PERSON_FIELD"] if given.field("PERSON_FIELD") else []
        needed += [*self.needing_records(given), *value_groups.in_use(given)]
        return clusters.check_counting(given, needed) or check_demands(given)

    def needing_records(self, given) -> list[str]:
        """The parameters in use for which all records are needed here."""
        return []

    def check_number(self, given, sites_by: Iterable[str]) -> str | None:
        """Check the number of sites or the GAPS model, whichever is needed."""
        sites_by = list(sites_by)
        if "fixed" in sites_by and given.number("SITES") is None:
            return tr("Give the number of sites, or have it computed by a GAPS model.")
        if sites_by != ["fixed"]:
            self.model(given)
        return None

    def model(self, given, data: Data | None = None) -> GapsModel:
        """The GAPS model, with the people of the regions where they were read.

        Raises
        ------
        InputError
            If none is chosen.
        """
        name = given.choice("GAPS_REGION")
        if not name:
            raise InputError(
                tr(
                    "Choose a GAPS model (GAPS_REGION): how many people an area needs was fitted for "
                    "parts of Canada, and no model holds everywhere. Or give the number of sites "
                    "(SITES_BY=fixed, SITES)."
                )
            )
        found = gaps_model(name, given.number("A"), given.number("B"))
        people = None if data is None else data.people_by(given.field("POPULATION_FIELD"))
        return found if people is None else replace(found, people=float(people.sum()))

    # --- reading -----------------------------------------------------------------------------

    def read(
        self,
        run,
        progress: Progress,
        locations: Iterable[str],
        attributes: Iterable[str] = (),
        keep: bool = False,
    ) -> Data:
        """Read the regions and count the records, as some location methods need them.

        Records that are released afterwards are to be kept.
        """
        of_regions, of_records, of_borders = weighted(progress, 10, 90, 10)
        source = run.source("REGIONS")
        (id_name,) = run.fields("REGION_ID", source)
        further = fields_of_demands(run, source)
        regions = read_regions(source, id_name, run.context, of_regions, further)
        plane = planes.plane_of(regions.xy, regions.crs)
        xy = plane.forward(regions.xy)
        table = self._records(run)
        wish = replace(self._wish(run, table, id_name, list(attributes)), keep=keep)
        if run.text(clusters.SCHEDULER).strip():
            wish = replace(wish, backend=clusters.backend(run))
        table = value_groups.grouped(run, table, wish)
        counted = count(table, regions, wish, of_records)
        noted, doubtful = value_groups.told(run, table)
        said = [planes.describe(plane, regions.crs), *noted, *counted.sentences]
        warned = [*counted.warnings, *doubtful]
        if regions.left_out:
            warned.append(
                tr("{count} without a usable place, left out.").format(
                    count=number_of(len(regions.left_out), "region", "regions")
                )
            )
        if regions.repaired:
            warned.append(
                tr("{count} not valid, repaired: check what was made of such shapes.").format(
                    count=number_of(regions.repaired, "polygon", "polygons")
                )
            )
        area = self._study_area(run, regions)
        if area is not None and regions.geometries is not None:
            warned.append(tr("The study area is not used: polygons are joined as they are."))
            area = None
        run.tell(*said)
        run.warn(*warned)
        adjoining = any(one in JOINING for one in locations)
        kept = kept_of(run, source, regions, plane, counted.classes, adjoining, of_borders)
        return Data(
            regions,
            plane,
            xy,
            counted,
            area,
            table.name,
            said,
            warned,
            tuple(table.kinds),
            wish.record_region,
            kept,
        )

    def _records(self, given) -> records.Records:
        path = given.text("RECORDS_FILE")
        if path:
            table = records.from_parquet(path, given.outputs.ask)
            return counted_records.counted(table, given.fields("COUNTS"))
        return counted_records.counted(
            records.from_source(given.source("RECORDS")), given.fields("COUNTS")
        )

    def _wish(self, given, table, id_name: str, attributes: list[str]) -> Wish:
        region_name = spelling(table.kinds, given.field("RECORD_REGION") or id_name)
        qis = [spelling(table.kinds, name) for name in dict.fromkeys(given.fields("QIS"))]
        attributes = [spelling(table.kinds, name) for name in attributes]
        if len(given.fields("COUNTS")) > 1:
            qis.append(counted_records.CATEGORY)
        if not qis:
            person = given.field("PERSON_FIELD")
            qis = [name for name in table.kinds if name not in (region_name, person)]
        if region_name in qis:
            raise InputError(
                tr(
                    "“{name}” is the id of the region and cannot be a quasi-identifier as well: "
                    "the area takes its place."
                ).format(name=region_name)
            )
        if region_name in attributes:
            raise InputError(
                tr(
                    "“{name}” is the id of the region and cannot be released: the area takes its "
                    "place. Leave it out of the further attributes."
                ).format(name=region_name)
            )
        person = given.field("PERSON_FIELD")
        person = spelling(table.kinds, person) if person else None
        if person is not None and person in (region_name, *qis, *attributes):
            raise InputError(
                tr(
                    "“{name}” is the person's id: it can be neither the region's id nor a "
                    "quasi-identifier, and is never released. Choose another field, or leave it out "
                    "there."
                ).format(name=person)
            )
        return Wish(
            region_name,
            qis,
            [name for name in dict.fromkeys(attributes) if name not in qis],
            *(
                {spelling(qis, name): value for name, value in one.items()}
                for one in (
                    declared_categories(given.text("CATEGORIES")),
                    groups_of_numbers(given.text("GROUPS")),
                )
            ),
            given.choice("NULLS") == CATEGORY,
            given.choice("UNKNOWN") == LEAVE_OUT,
            person,
        )

    def _study_area(self, run, regions) -> QgsGeometry | None:
        source = run.source("AREA")
        if source is None:
            return None
        area = union_of(source, regions.crs, run.context, run.outputs.ask)
        if area.isNull() or area.isEmpty() or area.area() == 0:
            raise InputError(
                tr(
                    "The study area “{name}” has no polygon with a size. Choose another layer, or "
                    "leave it empty."
                ).format(name=source.sourceName())
            )
        return area
