# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:syntheticrecords."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from qgis.core import QgsField

from ... import paths
from ...compat import make_field
from ...core.aggregation.count_tables import whole_counts
from ...core.aggregation.synthetic import (
    Chunk,
    group_rows,
    populations,
    recipe,
    synthetic_records,
)
from ...core.columns import coded
from ...core.runtime.errors import InputError
from ...core.verdict import not_tested
from .. import styling, verdicts
from ..base import GeoAnonAlgorithm, Help
from ..dialog import parameters
from ..dialog.declaration import Value, release
from ..dialog.rules import EMPTY
from ..families.demanding import people_in
from ..families.made_up import Drawn, Stream, write_parquet
from ..families.shares import Shares, one_group, shares_of_file, shares_of_table
from ..i18n import mark, number_of, tr
from ..layers.reading import read_table
from ..layers.records import kind_of
from ..layers.values import is_null, text_of
from ..running import Result


class SyntheticRecordsAlgorithm(GeoAnonAlgorithm):
    """Make up people for real regions."""

    NAME = "syntheticrecords"
    DISPLAY_NAME = mark("Synthetic records")
    GROUP = "aggregateareas"
    TAGS = mark("privacy, test data, simulation, synthetic population, microdata, census")
    SHORT_DESCRIPTION = mark(
        "Makes up records for any layer of regions from shares of categories, to try aggregations "
        "on."
    )
    HELP = Help(
        what=mark(
            "Every region gets a number of residents, drawn uniformly from a range, and every "
            "resident a category of each quasi-identifier, drawn independently from the shares of "
            "the region's group (such as its province). This is the recipe of the paper's test "
            "data, whose dissemination areas have 400 to 700 residents.\n\n"
            "Records are made and written piece by piece: ten million of them need little memory."
        ),
        when=mark(
            "To try “Voronoi-based aggregation” where the real records must not be used, and to "
            "repeat published experiments."
        ),
        cautions=(
            mark(
                "Quasi-identifiers are drawn independently of each other: real people's age and "
                "marital status go together, these people's do not."
            ),
            mark(
                "The records are nobody's, but the shares may be somebody's: those of very small "
                "groups tell about real people."
            ),
        ),
        reference=mark(
            "Croft, W. L., Shi, W., Sack, J.-R. and Corriveau, J.-P. (2015). A novel geographic "
            "partitioning system for anonymizing health care data. arXiv:1505.06939, section 4.1."
        ),
    )

    OUTPUTS = (
        release(
            "OUTPUT",
            mark("Synthetic records"),
            mark(
                "Table with one row for each record; these people do not exist. A GeoPackage is "
                "written quickest."
            ),
            "table",
            more=mark("It has the region's id, and a field for each quasi-identifier."),
            role=styling.SYNTHETIC,
            optional=True,
            by_default=True,
        ),
        release(
            "PARQUET",
            mark("Synthetic records as Parquet"),
            mark("The same as a .parquet file (needs the package pyarrow)."),
            "Parquet (*.parquet)",
            optional=True,
        ),
        Value("COUNT", mark("Records made")),
        *verdicts.OUTPUTS,
    )

    STEPS = {"read": 5, "write": 95}

    def inputs(self):
        """Return what is read."""
        return [
            parameters.table(
                "REGIONS",
                tr("Regions"),
                tr("The regions in which people are made up; their geometry is not looked at."),
            ),
            parameters.field(
                "REGION_ID",
                tr("Field with the regions' id"),
                tr("The records refer to it, in a field of the same name."),
                "REGIONS",
                optional=False,
            ),
            parameters.field(
                "GROUP",
                tr("Field with the regions' group"),
                tr(
                    "The group whose shares hold for the region, such as its province. Leave empty "
                    "where all regions are of one group."
                ),
                "REGIONS",
            ),
            parameters.text(
                "ONE_GROUP",
                tr("Group of all regions"),
                tr(
                    "Without a field with groups: the group whose shares are taken. Leave empty "
                    "where there are shares of one group only."
                ),
                only_when={"GROUP": EMPTY},
            ),
            parameters.file_source(
                "SHARES_FILE",
                tr("Shares of the categories, JSON"),
                tr(
                    'A file such as {"labels": {"sex": ["male", "female"]}, "groups": {"PE": '
                    '{"sex": [0.49, 0.51]}}}: for each group and quasi-identifier the shares, or '
                    "counts, of the categories. Without labels the categories are numbered from 1. "
                    "Instead of a list there may be an object with the shares by category. Without any "
                    "shares, those of the example that ships are taken: age, sex and size of household, "
                    "made up, of no country."
                ),
                "JSON (*.json)",
            ),
            parameters.table(
                "SHARES",
                tr("Shares of the categories, table"),
                tr(
                    "Instead of a file: a table with the fields field (name of the "
                    "quasi-identifier), category and share, and group where there are several."
                ),
                optional=True,
            ),
            parameters.text(
                "QIS",
                tr("Quasi-identifiers to make"),
                tr("Names parted by commas. Leave empty for all that there are shares of."),
            ),
            parameters.integer(
                "LEAST",
                tr("Fewest residents of a region"),
                tr("Of the range from which the number of residents is drawn."),
                400,
                0,
                only_when={"RESIDENTS": EMPTY},
            ),
            parameters.integer(
                "MOST",
                tr("Most residents of a region"),
                tr("The end of the range, included."),
                700,
                1,
                only_when={"RESIDENTS": EMPTY},
            ),
            parameters.seed(),
            parameters.field(
                "RESIDENTS",
                tr("Field with the residents of each region"),
                tr(
                    "Whole numbers from 0, such as of a census; the range is not used then. Leave empty "
                    "to draw them."
                ),
                "REGIONS",
                numeric=True,
            ),
        ]

    def check(self, given):
        """Check what is given, and that something is to be written."""
        file = given.text("SHARES_FILE")
        if file and given.has("SHARES"):
            return tr("Give the shares of the categories as a file or as a table: one of the two.")
        if not (given.has("OUTPUT") or given.has("PARQUET")):
            return tr("Choose where to write the records: to a table, or to a Parquet file.")
        if given.number("LEAST") > given.number("MOST"):
            return tr("The fewest residents of a region are more than the most.")
        return None

    def execute(self, run):
        """Read, draw, write."""
        source = run.source("REGIONS")
        fields = [
            name for parameter in ("REGION_ID", "GROUP") for name in run.fields(parameter, source)
        ]
        living = run.field("RESIDENTS", source)
        table = read_table(source, run.step("read"), list(dict.fromkeys([*fields, *_one(living)])))
        ids = table.columns[fields[0]][:]
        _require_ids(ids, fields[0])
        shares = self._shares(run)
        names = [one.strip() for one in run.text("QIS").split(",")]
        made = recipe(
            shares.groups,
            [name for name in names if name] or None,
            (run.number("LEAST"), run.number("MOST")),
        )
        if fields[0] in made.names:
            raise InputError(
                tr(
                    "“{name}” is the name of the regions' id and of a quasi-identifier. Rename one "
                    "of them."
                ).format(name=fields[0])
            )
        group = self._groups(run, table, fields, made)
        rng = run.rng()
        if living is None:
            residents = populations(made, len(ids), rng)
        else:
            residents = whole_counts(people_in(table.columns[living], living))[:, 0]
        seed = int(rng.integers(2**63))
        total = int(residents.sum())
        if total == 0:
            raise InputError(tr("No region has got a resident. Raise the range of residents."))

        def chunks() -> Iterator[Chunk]:
            return synthetic_records(made, group, residents, np.random.default_rng(seed))

        run.tell(
            tr("{count} in {regions}: {names}.").format(
                count=number_of(total, "record", "records"),
                regions=number_of(len(ids), "region", "regions"),
                names=", ".join(
                    f"{name} ({count})" for name, count in zip(made.names, made.categories)
                ),
            )
        )
        labels = [
            shares.categories(name, count) for name, count in zip(made.names, made.categories)
        ]
        path = run.outputs.file_path("PARQUET")
        if run.outputs.wanted("OUTPUT"):
            stream = Stream(chunks, total)
            id_field = QgsField(table.fields.at(0))
            run.outputs.add_table(
                "OUTPUT",
                [
                    id_field,
                    *(make_field(name, _kind(values)) for name, values in zip(made.names, labels)),
                ],
                [
                    coded(Drawn(stream, None), ids),
                    *(coded(Drawn(stream, at), values) for at, values in enumerate(labels)),
                ],
            )
        if path is not None:
            id_column = (fields[0], kind_of(table.fields.at(0)), ids)
            with run.outputs.filling("PARQUET"):
                share = run.outputs.next_share()
                write_parquet(path, id_column, made.names, labels, chunks(), total, share)
        return Result({"COUNT": total}, not_tested("group", "attribute"), _steps(fields[1:]))

    def _shares(self, given) -> Shares:
        path = given.text("SHARES_FILE")
        if path:
            return shares_of_file(path)
        if not given.has("SHARES"):
            return shares_of_file(str(paths.resource("data", "example_shares.json")))
        return shares_of_table(given.source("SHARES"))

    def _groups(self, given, table, fields, made) -> np.ndarray:
        if len(fields) > 1:
            return group_rows(made, table.columns[fields[1]].texts(""))
        name = given.text("ONE_GROUP").strip()
        return group_rows(made, [one_group(made.groups, name)] * len(table))


def _one(name: str | None) -> list[str]:
    return [] if name is None else [name]


def _steps(group: list[str]) -> list[str]:
    """What to do before the release: the records are nobody's, what they were drawn from is not."""
    of = tr("group of “{field}”").format(field=group[0]) if group else tr("group")
    return [
        tr(
            "No record is a person's, so nobody can be found by one. What can tell about people "
            "are the shares that the records show again: give them away only where these may be "
            "published."
        ),
        tr(
            "Where the shares were counted by yourself, let geoanon:equivalenceclasses count each "
            "{of} and category (QIS) in the real records, with K as many people as you would "
            "publish a number of; join those that are fewer, and make the records again."
        ).format(of=of),
    ]


def _require_ids(ids: list, name: str) -> None:
    if not ids:
        raise InputError(tr("There are no regions. Choose a layer that has some."))
    if any(is_null(one) for one in ids):
        raise InputError(
            tr(
                "The field “{field}” is empty in some regions. Fill it in, or choose another one."
            ).format(field=name)
        )
    if len({text_of(one) for one in ids}) < len(ids):
        raise InputError(
            tr(
                "The field “{field}” has ids that are there more than once. Each region needs an "
                "id of its own."
            ).format(field=name)
        )


def _kind(values: list) -> str:
    return "long" if all(isinstance(value, int) for value in values) else "string"
