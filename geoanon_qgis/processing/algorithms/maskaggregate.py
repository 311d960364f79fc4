# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:maskaggregate."""

from __future__ import annotations

from ...core.masking.aggregation import RANDOM, aggregate
from .. import literature
from ..base import Help
from ..dialog.declaration import Value
from ..families.masks import areas_out, point_areas, staying
from ..families.masks.kept_masking import KeptMaskingAlgorithm, outputs, posterior_attack
from ..families.masks.masked import Masked, Way, Withheld
from ..families.masks.masking import steps
from ..i18n import mark
from ..layers import planes
from ..reports.maskaggregate import story


class MaskAggregateAlgorithm(KeptMaskingAlgorithm):
    """Put each point at the centre of a public area, or anywhere in it."""

    NAME = "maskaggregate"
    BY_PLACE = False
    DISPLAY_NAME = mark("Aggregation masking (grid, hexagons, zones, merged zones)")
    TAGS = mark(
        "privacy, geomask, geomasking, grid, snap, hexbin, hexagon, centroid, zone, postcode, "
        "adaptive areal elimination, AAE, k-anonymity, anonymise, anonymize, geo-mask, "
        "confidential, sensitive, patients, epidemiology, deidentify, de-identify, generalize, "
        "generalise, small cells, GDPR, HIPAA"
    )
    SHORT_DESCRIPTION = mark(
        "Moves each point to the centre of its grid cell, hexagon, zone or merged zone, or to a "
        "random place in it; areas in which too few people live release nothing, or are merged."
    )
    HELP = Help(
        what=mark(
            "Each place goes to the centre of the area in which it lies, or to a random place of "
            "it. Areas are squares or hexagons, given zones, or zones of which the smallest are "
            "merged into the neighbour with the longest common border until each holds K people "
            "or addresses. An island without neighbours is joined to the nearest area, and AREAS "
            "says so. METHOD=sites draws areas of about as many addresses each round sites among those "
            "of POPULATION, as Voronoi-based aggregation does, but by the public list alone.\n\n"
            "Cells have a fixed origin: that of the layer's own system where it is projected, that "
            "of EASE-Grid 2.0 (EPSG:6933, equal-area) for layers in degrees, in Web Mercator and "
            "the like, where squares become long in the north. For the cells of a national grid, "
            "reproject the layer first. Neither cells nor merged zones depend on the points, and "
            "K is counted by POPULATION alone.\n\n"
            "Records of areas with fewer than K, and those outside of all zones, are withheld and "
            "counted, never released where they are. Random places come from a secret and the "
            "place: with the secret file of an earlier release every place stays where it was "
            "put, also when zones or population have changed. "
            "Heights and measures (Z, M) are dropped."
        ),
        when=mark(
            "Where numbers of an area are enough, for a map of cells, or to join records with what "
            "is known of zones. A released point tells its area and nothing else, in any number of "
            "releases by the same areas. Where points should lie near the true places, and an "
            "address list is at hand, “Exchange of addresses” (geoanon:maskexchange) hides each "
            "point among as many addresses, and moves points less."
        ),
        cautions=(
            mark(
                "Without POPULATION nothing is known of how many live in an area: a cell in the "
                "country may hold one house, and its record is that of the people there."
            ),
            mark(
                "K counts what POPULATION counts. Of 20 people in an area 5 may live at one "
                "address, and 20 addresses of one house are one place."
            ),
            mark(
                "Who knows that a person is in the file, and where she lives, looks at the records "
                "of her area. If there is one, it is hers; the report says how many areas have "
                "only one record, and K_RECORDS withholds what lies in areas with few."
            ),
            mark(
                "What all records of an area have in common (an illness, say) is known of each of "
                "them, whatever K is."
            ),
            mark(
                "Release by one kind of areas only. By two that overlap, a person lives in what "
                "both have in common, and that may be one house."
            ),
        ),
        sources=(literature.KOUNADI_LEITNER, literature.ARMSTRONG),
    )
    OUTPUTS = outputs(
        areas_out.OUTPUT,
        numbers=(
            Value("AREA_COUNT", mark("Areas with released points")),
            Value(
                "ALONE",
                mark("Records alone in their area"),
                mark("Released records whose place is the only one of their area."),
            ),
        ),
    )
    STEPS = steps(public=10, areas=8)

    def mask_inputs(self):
        """The areas, what counts in them, and where points go."""
        return point_areas.inputs()

    def check(self, given):
        """Areas and what counts in them go together."""
        return point_areas.check(given)

    def mask(self, points, run):
        """Put each place in its area."""
        made = point_areas.read(points, run).of_enough_records(run)
        moved = aggregate(
            made.xy,
            made.areas,
            made.least,
            made.place,
            points.secret.bytes,
            self.NAME,
            points.table.xy,
            run.step("mask"),
            made.least_records,
        )
        is_random, put, before = made.place == RANDOM, made.back(moved.xy, points, run), None
        if is_random:  # a centre is nothing that is drawn
            before = staying.look_up(points, run, self.NAME, made.parameters, made.layers)
            put = before.put(put)
            moved = moved.with_put(put, before.earlier, made.lies_in(put, points, run))
        self._made, self._moved = made, moved
        unit = planes.unit(points.table.crs)
        masked = Masked(
            put,
            story(made.parameters, made.areas, moved, unit, made.ground, posterior_attack(run)),
            {
                "AREA_COUNT": len(moved.used),
                "ALONE": int(moved.alone.sum()),
                "WITHHELD_COUNT": int(moved.withheld.sum()),
            },
            withheld=Withheld(moved.kind, made.reasons()),
            way=Way(f"aggregation {made.method}", made.parameters, made.layers, is_random),
            possible=(lambda row: made.anywhere(int(moved.area[row]), points, run))
            if is_random
            else None,
        )
        return staying.stayed(masked, self.NAME, before) if is_random else masked

    def write_more(self, points, run):
        """Write the areas."""
        areas_out.write(self._made, self._moved.used, run)
