# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:equivalenceclasses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...compat import make_field
from ...core.aggregation.categories import MANY_CATEGORIES, Encoder
from ...core.aggregation.equivalence_classes import count_classes
from ...core.runtime.errors import InputError
from ...core.runtime.progress import part
from ...core.verdict import judge
from .. import styling
from ..base import GeoAnonAlgorithm, Help, core_progress
from ..dialog import parameters as make
from ..families.microdata import as_field
from ..i18n import mark, tr
from ..layers import keys
from ..layers.reading import holds_points, read_table
from ..layers.records_out import add_records, has_places
from ..reports import equivalenceclasses as story


class EquivalenceClassesAlgorithm(GeoAnonAlgorithm):
    """Tell how many records share each combination of quasi-identifiers, and where the rare are."""

    NAME = "equivalenceclasses"
    DISPLAY_NAME = mark("Equivalence classes")
    GROUP = "microdata"
    ICON = "equivalenceclasses"
    TAGS = (
        mark("privacy"),
        mark("geomask"),
        mark("k-anonymity"),
        mark("quasi-identifiers"),
        mark("uniqueness"),
        mark("microdata"),
        mark("entropy"),
        "MaxCombs",
        "VBAS",
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
        outputs=(
            (
                "OUTPUT",
                mark(
                    "Private. The records, at their places if they have any: original_id, class, "
                    "class_size, small (1 in classes of fewer than K records)."
                ),
            ),
            (
                "CLASSES",
                mark(
                    "Private. One row for each class, the smallest first: class, class_size, and the "
                    "quasi-identifiers."
                ),
            ),
            (
                "REPORT, JSON",
                mark(
                    "Private. The sizes of the classes, what each quasi-identifier adds, and a map; "
                    "the same figures for programs."
                ),
            ),
            ("N", mark("Records.")),
            ("K_ANONYMITY", mark("Records in the smallest class.")),
            ("CLASSES_FOUND", mark("Classes that occur.")),
            ("UNIQUES", mark("Records that are alone in their class.")),
            ("SMALL", mark("Records in classes of fewer than K.")),
            ("ENTROPY", mark("Entropy of the classes, in bits.")),
            ("MAXCOMBS", mark("Possible combinations of the categories that occur.")),
        ),
        cautions=(
            mark(
                "Numbers with many values, such as incomes, make everybody unique. Group them "
                "first (field calculator); the log names such fields."
            ),
            mark(
                "k-anonymity says nothing of what all members of a class have in common, which "
                "is disclosed without finding anybody."
            ),
        ),
        reference=mark(
            "Croft, W. L., Shi, W., Sack, J.-R. and Corriveau, J.-P. (2015). A novel geographic "
            "partitioning system for anonymizing health care data (entropy, MaxCombs). "
            "Sweeney, L. (2002). k-anonymity: a model for protecting privacy. International "
            "Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 557–570."
        ),
    )
    REQUIRES = ("scipy",)

    def initAlgorithm(self, configuration=None):  # noqa: N802
        """Declare parameters and outputs."""
        for parameter in (
            make.table("INPUT", tr("Records"), tr("A table, or a layer of any kind.")),
            make.fields(
                "QIS",
                tr("Quasi-identifiers"),
                tr(
                    "Fields that others may know of a person. Missing values are a category of their "
                    "own."
                ),
                "INPUT",
                optional=False,
            ),
            make.integer(
                "K",
                tr("Fewest records in a class (k)"),
                tr("Classes of fewer records are called small. Data custodians often ask for 5."),
                5,
                2,
            ),
            make.private_sink(
                "OUTPUT",
                tr("Class of each record"),
                tr("The records with the size of their class, coloured by it."),
                "table",
                optional=False,
            ),
            make.private_sink(
                "CLASSES",
                tr("Classes"),
                tr("Table with one row for each class, the smallest first."),
                "table",
            ),
            make.html_destination(
                "REPORT",
                tr("Report"),
                tr("How many records share each combination, and where the rare ones sit."),
            ),
            make.json_destination(
                "JSON", tr("Figures of the report"), tr("The report's figures for programs.")
            ),
        ):
            self.addParameter(parameter)
        self.add_numbers(
            N=tr("Records"),
            K_ANONYMITY=tr("Smallest class"),
            CLASSES_FOUND=tr("Classes"),
            UNIQUES=tr("Unique records"),
            SMALL=tr("Records in small classes"),
            ENTROPY=tr("Entropy (bits)"),
            MAXCOMBS=tr("Possible combinations"),
        )
        self.add_decision()

    def has_places(self, name, parameters, context):
        """The records lie where they lie in the source."""
        return name == "OUTPUT" and has_places(self, parameters, "INPUT", context)

    def execute(self, parameters, context, feedback, outputs):
        """Read, count, write, report."""
        progress = core_progress(feedback)
        source = self.source(parameters, "INPUT", context)
        names = self.field_names(parameters, "QIS", context, source)
        table = read_table(source, part(progress, 0, 0.3), names, holds_points(source))
        xy = table.xy
        if len(table) == 0:
            raise InputError(
                tr("“{name}” has no records. Choose another layer, or select some.").format(
                    name=source.sourceName()
                )
            )
        encoders, codes = [], []
        for number, name in enumerate(names):
            ahead = part(
                progress, 0.3 + 0.2 * number / len(names), 0.3 + 0.2 * (number + 1) / len(names)
            )
            encoder = Encoder(name)
            codes.append(encoder.codes(table.columns[name].narrowed(), ahead))
            encoders.append(encoder)
        nowhere = np.zeros(len(table), dtype=np.int32)
        found = count_classes(nowhere, codes, 1, None, part(progress, 0.5, 0.7))
        k = self.parameterAsInt(parameters, "K", context)
        told = story.Classes(
            source.sourceName(),
            names,
            found,
            [encoder.categories for encoder in encoders],
            {one.name: one.null_count for one in encoders if one.null_count},
            k,
            MANY_CATEGORIES,
        )
        for sentence in story.sentences(told):
            feedback.pushInfo(sentence)
        for sentence in story.warnings(told):
            feedback.pushWarning(sentence)
        size = found.sizes[found.record_class]
        # Classes are numbered by size, so that number 1 is a smallest one.
        order = np.argsort(found.sizes, kind="stable")
        number = np.empty(len(order), dtype=np.int64)
        number[order] = np.arange(1, len(order) + 1)
        add_records(
            outputs,
            "OUTPUT",
            source,
            table.ids,
            xy,
            [
                make_field(keys.ORIGINAL, "long"),
                make_field("class", "long"),
                make_field("class_size", "long"),
                make_field("small", "int"),
            ],
            [table.ids, number[found.record_class], size, (size < k).astype(np.int64)],
            part(progress, 0.7, 0.9),
            styling.SMALL_CLASSES,
        )
        self._write_classes(outputs, told, order, part(progress, 0.9, 0.93))
        limit = self.acceptable(parameters, context)
        outputs.conclude(
            judge([found.evidence(k)], "quasi_identifiers", "which_record", limit),
            story.steps(told, limit),
            story.not_run(has_places(self, parameters, "INPUT", context)),
        )

        def report():
            pictures = []
            if xy is not None:
                from ..maps.pictures import class_pictures, if_possible

                there = np.isfinite(xy).all(axis=1)
                if there.any():
                    pictures = if_possible(
                        feedback,
                        lambda: class_pictures(
                            xy[there],
                            source.sourceCrs(),
                            size[there],
                            k,
                            part(progress, 0.93, 0.97),
                        ),
                    )
            return story.report(told, order, pictures, part(progress, 0.97, 1.0))

        outputs.add_report(report)
        return {
            "N": told.count,
            "K_ANONYMITY": told.smallest,
            "CLASSES_FOUND": len(found.sizes),
            "UNIQUES": told.uniques,
            "SMALL": told.small,
            "ENTROPY": found.entropy,
            "MAXCOMBS": float(found.max_combs),
        }

    @staticmethod
    def _write_classes(outputs, told, order, progress) -> None:
        if not outputs.wanted("CLASSES"):
            return
        made = [make_field("class", "long"), make_field("class_size", "long")]
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
        outputs.add_table("CLASSES", made, columns, progress, styling.MEASURED)
