# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:equivalenceclasses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.aggregation.categories import MANY_CATEGORIES, Encoder
from ...core.aggregation.equivalence_classes import count_classes
from ...core.runtime.errors import InputError
from ...core.runtime.progress import shares, weighted
from ...core.verdict import judge
from .. import styling, verdicts
from ..base import GeoAnonAlgorithm, Help
from ..dialog import parameters
from ..dialog.declaration import Field, Value, private, reports
from ..families.microdata import as_field
from ..i18n import mark, tr
from ..layers import keys
from ..layers.reading import holds_points, read_table
from ..layers.records_out import add_records, has_places
from ..reports import equivalenceclasses as reporting
from ..running import Result


class EquivalenceClassesAlgorithm(GeoAnonAlgorithm):
    """Tell how many records share each combination of quasi-identifiers, and where the rare are."""

    NAME = "equivalenceclasses"
    DISPLAY_NAME = mark("Equivalence classes")
    GROUP = "microdata"
    TAGS = mark(
        "privacy, geomask, k-anonymity, quasi-identifiers, uniqueness, microdata, entropy, "
        "MaxCombs, VBAS"
    )
    SHORT_DESCRIPTION = mark(
        "Counts the records that are alike in chosen quasi-identifiers: k-anonymity, unique "
        "records, entropy, and where on the map the small classes sit."
    )
    HELP = Help(
        what=mark(
            "Quasi-identifiers are attributes that others may know of a person, such as age, sex "
            "and occupation. Records that are alike in all of them form an equivalence class. The "
            "size of the smallest class is the k of k-anonymity; who is alone in a class can be "
            "found by anyone who knows these attributes.\n\n"
            "Entropy (in bits) tells how evenly records spread over the classes, and MaxCombs is "
            "the number of combinations that the categories allow. The aggregation of areas (VBAS) "
            "counts with the same code."
        ),
        when=mark("On the original, to see what must be grouped or left out; and on a release."),
        cautions=(
            mark(
                "Numbers with many values, such as incomes, make everybody unique. Group them "
                "first (field calculator); the log names such fields."
            ),
            mark(
                "k-anonymity says nothing of what all members of a class have in common, which is "
                "disclosed without finding anybody."
            ),
        ),
        reference=mark(
            "Croft, W. L., Shi, W., Sack, J.-R. and Corriveau, J.-P. (2015). A novel geographic "
            "partitioning system for anonymizing health care data (entropy, MaxCombs). Sweeney, L. "
            "(2002). k-anonymity: a model for protecting privacy. International Journal of "
            "Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 557–570."
        ),
    )
    REQUIRES = ("scipy",)

    OUTPUTS = (
        private(
            "OUTPUT",
            mark("Class of each record"),
            mark(
                "The records, at their places if they have any, with the size of their class, "
                "coloured by it."
            ),
            "table",
            [
                Field(keys.ORIGINAL, "long"),
                Field("class", "long"),
                Field("class_size", "long"),
                Field("small", "int", mark("1 in classes of fewer than K records")),
            ],
            role=styling.SMALL_CLASSES,
            optional=False,
        ),
        private(
            "CLASSES",
            mark("Classes"),
            mark("Table with one row for each class, the smallest first."),
            "table",
            [Field("class", "long"), Field("class_size", "long")],
            mark("Behind them stand the quasi-identifiers."),
            styling.MEASURED,
        ),
        *reports(
            mark(
                "How many records share each combination, what each quasi-identifier adds, and "
                "where the rare ones sit."
            )
        ),
        Value("N", mark("Records")),
        Value("K_ANONYMITY", mark("Smallest class"), mark("Records in the smallest class.")),
        Value("CLASSES_FOUND", mark("Classes"), mark("Classes that occur.")),
        Value("UNIQUES", mark("Unique records"), mark("Records that are alone in their class.")),
        Value(
            "SMALL", mark("Records in small classes"), mark("Records in classes of fewer than K.")
        ),
        Value("ENTROPY", mark("Entropy (bits)"), mark("Entropy of the classes, in bits.")),
        Value(
            "MAXCOMBS",
            mark("Possible combinations"),
            mark("Possible combinations of the categories that occur."),
        ),
        *verdicts.OUTPUTS,
    )

    STEPS = {"read": 30, "encode": 20, "count": 20, "write": 23, "report": 7}

    def inputs(self):
        """Return what is read."""
        return [
            parameters.table("INPUT", tr("Records"), tr("A table, or a layer of any kind.")),
            parameters.fields(
                "QIS",
                tr("Quasi-identifiers"),
                tr(
                    "Fields that others may know of a person. Missing values are a category of "
                    "their own."
                ),
                "INPUT",
                optional=False,
            ),
            parameters.integer(
                "K",
                tr("Fewest records in a class (k)"),
                tr("Classes of fewer records are called small. Data custodians often ask for 5."),
                5,
                2,
            ),
            verdicts.limit(),
        ]

    def has_places(self, name, given):
        """The records lie where they lie in the source."""
        return name == "OUTPUT" and has_places(given, "INPUT")

    def execute(self, run):
        """Read, count, write, report."""
        source = run.source("INPUT")
        names = run.fields("QIS", source)
        table = read_table(source, run.step("read"), names, holds_points(source))
        xy = table.xy
        if len(table) == 0:
            raise InputError(
                tr("“{name}” has no records. Choose another layer, or select some.").format(
                    name=source.sourceName()
                )
            )
        encoders, codes = [], []
        for name, ahead in zip(names, shares(run.step("encode"), len(names))):
            encoder = Encoder(name)
            codes.append(encoder.codes(table.columns[name].narrowed(), ahead))
            encoders.append(encoder)
        nowhere = np.zeros(len(table), dtype=np.int32)
        found = count_classes(nowhere, codes, 1, None, run.step("count"))
        k = run.number("K")
        told = reporting.Classes(
            source.sourceName(),
            names,
            found,
            [encoder.categories for encoder in encoders],
            {one.name: one.null_count for one in encoders if one.null_count},
            k,
            MANY_CATEGORIES,
        )
        run.tell(*reporting.sentences(told))
        run.warn(*reporting.warnings(told))
        size = found.sizes[found.record_class]
        # Classes are numbered by size, so that number 1 is a smallest one.
        order = np.argsort(found.sizes, kind="stable")
        number = np.empty(len(order), dtype=np.int64)
        number[order] = np.arange(1, len(order) + 1)
        columns = [table.ids, number[found.record_class], size, (size < k).astype(np.int64)]
        add_records(run.outputs, "OUTPUT", source, table.ids, xy, columns)
        self._write_classes(run.outputs, told, order)
        limit = run.acceptable()

        def report(progress):
            drawing, telling = weighted(progress, 4, 3)
            pictures = []
            if xy is not None:
                from ..maps.pictures import class_pictures, if_possible

                there = np.isfinite(xy).all(axis=1)
                if there.any():
                    places = (xy[there], source.sourceCrs(), size[there])
                    pictures = if_possible(
                        run.feedback, lambda: class_pictures(*places, k, drawing)
                    )
            return reporting.report(told, order, pictures, telling)

        return Result(
            {
                "N": told.count,
                "K_ANONYMITY": told.smallest,
                "CLASSES_FOUND": len(found.sizes),
                "UNIQUES": told.uniques,
                "SMALL": told.small,
                "ENTROPY": found.entropy,
                "MAXCOMBS": float(found.max_combs),
            },
            judge([found.evidence(k)], "quasi_identifiers", "which_record", limit),
            reporting.steps(told, limit),
            reporting.not_run(has_places(run, "INPUT")),
            report,
        )

    @staticmethod
    def _write_classes(outputs, told, order) -> None:
        if not outputs.wanted("CLASSES"):
            return
        made: list = ["class", "class_size"]
        columns: list[Sequence] = [np.arange(1, len(order) + 1), told.found.sizes[order]]
        taken = {"class", "class_size"}
        for at, name in enumerate(told.names):
            values = told.categories[at]
            column = np.empty(len(order), dtype=object)
            column[:] = [values[code] for code in told.found.codes[order, at].tolist()]
            title = name if name.lower() not in taken else f"qi_{name}"
            field, column = as_field(title, column)
            made.append(field)
            columns.append(column)
        outputs.add_table("CLASSES", made, columns)
