# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:equivalenceclasses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.aggregation.categories import MANY_CATEGORIES
from ...core.aggregation.coarsening import propose
from ...core.aggregation.equivalence_classes import count_classes
from ...core.aggregation.population_uniques import population_uniques
from ...core.runtime.errors import InputError
from ...core.runtime.progress import shares, silent, weighted
from ...core.verdict import judge
from .. import literature, styling, verdicts
from ..base import GeoAnonAlgorithm, Help
from ..dialog import parameters
from ..dialog.declaration import Field, Value, private, reports
from ..families import coarsening, quasi_identifiers
from ..families.microdata import as_field
from ..i18n import mark, tr
from ..layers import keys
from ..layers.reading import holds_points, read_table
from ..layers.records_out import add_records, has_places
from ..reports import equivalenceclasses as reporting
from ..reports.equivalenceclasses_more import Proposed
from ..reports.equivalenceclasses_steps import not_run, steps
from ..running import Result, existing


class EquivalenceClassesAlgorithm(GeoAnonAlgorithm):
    """Tell how many records share each combination of quasi-identifiers, and where the rare are."""

    NAME = "equivalenceclasses"
    DISPLAY_NAME = mark("Equivalence classes")
    GROUP = "microdata"
    TAGS = mark(
        "privacy, k-anonymity, l-diversity, t-closeness, quasi-identifiers, uniqueness, "
        "population uniques, microdata, entropy, MaxCombs, VBAS, sensitive, pseudonymize, "
        "pseudonymise, small cells, HIPAA, re-identification"
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
            "counts with the same code.\n\n"
            "It proposes what to group: for each field coarser forms (ages in classes of 5 or 10, "
            "dates by quarter, the first letters of a code, rare values together), what each does "
            "by itself, and which of them together leave fewest records in small classes for the "
            "detail that they cost, with the expressions of QGIS that make them. Where there are "
            "too many combinations to count all, they are found step by step.\n\n"
            "With SENSITIVE it looks at what a class has in common (l-diversity, t-closeness), and "
            "with SAMPLING_FRACTION it estimates how many unique records are of people who are "
            "unique in the population, by two models and one figure without a model. Empty text is "
            "a missing value."
        ),
        when=mark("On the original, to see what must be grouped or left out; and on a release."),
        cautions=(
            mark(
                "Numbers with many values, such as incomes, make everybody unique. Group them "
                "first (field calculator); the log names such fields."
            ),
            mark(
                "k-anonymity says nothing of what all members of a class have in common, which is "
                "disclosed without finding anybody: name such fields in SENSITIVE."
            ),
            mark(
                "Estimates for a population are of who does not know that a person is in the table. "
                "The verdict is about who knows it: it does not change with SAMPLING_FRACTION."
            ),
        ),
        reference=mark(
            "Croft, W. L., Shi, W., Sack, J.-R. and Corriveau, J.-P. (2015). A novel geographic "
            "partitioning system for anonymizing health care data (entropy, MaxCombs). Sweeney, L. "
            "(2002). k-anonymity: a model for protecting privacy. International Journal of "
            "Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 557–570."
        ),
        sources=(
            literature.MACHANAVAJJHALA,
            literature.LI_CLOSENESS,
            literature.GIONIS_TASSA,
            literature.HOSHINO,
            literature.CARLSON,
            literature.SKINNER_ELLIOT,
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
            mark(
                "Behind them stand the quasi-identifiers, and of each sensitive field how many "
                "different values the class has (_values) and how far it is from the whole (_t)."
            ),
            styling.MEASURED,
        ),
        private(
            "PROPOSALS",
            mark("What could be grouped"),
            mark("Table with a row for each coarser form of a field, and what it would leave."),
            "table",
            [
                Field("step", "int", mark("0: by itself; else all rows of a step together")),
                Field("field", "string"),
                Field("form", "string", mark("the coarser form in words")),
                Field("expression", "string", mark("makes it, in QGIS; none: leave it out")),
                Field("uniques", "long", mark("unique records then")),
                Field("small", "long", mark("records in classes of fewer than K then")),
                Field("smallest", "long", mark("records of the smallest class then")),
                Field("classes", "long"),
                Field("detail_kept", "double", mark("share of the entropy of all fields")),
            ],
            role=styling.MEASURED,
        ),
        *reports(
            mark(
                "How many records share each combination, what each quasi-identifier adds, and "
                "where the rare ones sit."
            )
        ),
        Value("N", mark("Records"), mark("With PERSON_FIELD people, once in each class.")),
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
        Value(
            "LEAST_VALUES",
            mark("Fewest different sensitive values (l)"),
            mark("In a class, of any sensitive field; empty without one."),
        ),
        Value(
            "FARTHEST",
            mark("Farthest class (t)"),
            mark("Largest distance of a class from the whole table, of any sensitive field."),
        ),
        Value(
            "SHARED",
            mark("Records that share their sensitive value with all of their class"),
            mark("Of the sensitive field of which there are most."),
        ),
        Value(
            "POPULATION_UNIQUES_LOW",
            mark("Unique records that are unique in the population, at the least"),
            mark("Share of the unique records, by the model that says less."),
        ),
        Value(
            "POPULATION_UNIQUES_HIGH",
            mark("Unique records that are unique in the population, at the most"),
            mark("Share of the unique records, by the model that says more; no bound."),
        ),
        Value(
            "MATCHED",
            mark("Chance that who agrees with a unique record is the person"),
            mark("Of people of the population who agree with one unique record (Skinner, Elliot)."),
        ),
        *verdicts.OUTPUTS,
    )

    STEPS = {"read": 30, "encode": 15, "count": 15, "propose": 10, "write": 23, "report": 7}

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
            *quasi_identifiers.inputs(),
        ]

    def check(self, given):
        """A share of the population is above 0."""
        if given.number("SAMPLING_FRACTION") == 0:
            return tr(
                "The share of the population in the table must be above 0. Leave it empty if you "
                "do not know it."
            )
        if given.number("SAMPLING_FRACTION") is not None and given.field(quasi_identifiers.PERSON):
            return tr(
                "What is unique in the population is estimated of tables with one record a person: give "
                "SAMPLING_FRACTION or PERSON_FIELD, not both."
            )
        return None

    def has_places(self, name, given):
        """The records lie where they lie in the source."""
        return name == "OUTPUT" and has_places(given, "INPUT")

    def execute(self, run):
        """Read, count, write, report."""
        source = run.source("INPUT")
        names = run.fields("QIS", source)
        sensitive = quasi_identifiers.sensitive_fields(run, source, names)
        wanted = [*names, *sensitive]
        person = quasi_identifiers.person_field(run, source, wanted)
        whose = [] if person is None else [person]
        table = read_table(source, run.step("read"), [*wanted, *whose], holds_points(source))
        xy = table.xy
        if len(table) == 0:
            raise InputError(
                tr("“{name}” has no records. Choose another layer, or select some.").format(
                    name=source.sourceName()
                )
            )
        table, said = quasi_identifiers.prepared(run, table, wanted)
        persons = [quasi_identifiers.Coded.of(table.columns[one], silent) for one in whose]
        run.tell(*said)
        of_fields, of_secrets = weighted(run.step("encode"), len(names), len(sensitive) + 0.1)
        fields = quasi_identifiers.coded(table, names, of_fields)
        nowhere = np.zeros(len(table), dtype=np.int32)
        codes = [one.codes for one in fields]
        ids = persons[0].codes if persons else None
        found = count_classes(nowhere, codes, 1, None, run.step("count"), ids)
        people = None
        for one in persons:
            column = table.columns[one.name]
            people, noted, warned = quasi_identifiers.people_of(
                column, one.codes, found.record_class
            )
            run.tell(*noted)
            run.warn(*warned)
        secrets = [
            quasi_identifiers.looked_at(
                table.columns[name], found.record_class, len(found.sizes), ahead, ids
            )
            for name, ahead in zip(sensitive, shares(of_secrets, max(len(sensitive), 1)))
        ]
        k, fraction = run.number("K"), run.number("SAMPLING_FRACTION")
        ladders = [one.ladder() for one in fields]
        proposed = propose(found, ladders, k, run.step("propose"), people=people)
        categories = [one.categories for one in fields]
        told = reporting.Classes(
            source.sourceName(),
            names,
            found,
            categories,
            {one.name: one.missing for one in fields if one.missing},
            k,
            MANY_CATEGORIES,
            tuple(secrets),
            reporting.Asked(run.number("L"), run.number("T")),
            None if fraction is None else population_uniques(found.sizes, fraction),
            Proposed(
                coarsening.told(proposed.alone, names, categories),
                coarsening.told(proposed.frontier, names, categories),
                proposed.is_best,
            ),
            people,
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
        run.outputs.add_rows("PROPOSALS", reporting.proposal_rows(told))
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
            existing(reporting.numbers(told)),
            judge(
                told.evidence(),
                "quasi_identifiers",
                "record_or_attribute" if secrets else "which_record",
                limit,
            ),
            steps(told, limit),
            not_run(told, bool(has_places(run, "INPUT")), quasi_identifiers.is_grouped(run)),
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
            taken.add(title.lower())
        for one in told.sensitive:
            for what, numbers in (("values", one.distinct), ("t", one.distance)):
                title = f"{one.name}_{what}"
                while title.lower() in taken:
                    title += "_"
                taken.add(title.lower())
                field, column = as_field(title, numbers[order])
                made.append(field)
                columns.append(column)
        outputs.add_table("CLASSES", made, columns)
