# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:linkageattack."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from qgis.core import QgsField

from ...core.attacks.linkage.compatibility import (
    AbsoluteTolerance,
    CoordinateNoise,
    DistanceNoise,
    LipschitzEmbedding,
    Rule,
)
from ...core.attacks.linkage.evidence import by_all_methods, evidence, most_in_common
from ...core.attacks.linkage.linkage import CLIQUE_SECONDS, attack
from ...core.attacks.linkage.result import LinkageResult, certainty
from ...core.attacks.linkage.truth import score, share_out
from ...core.attacks.maps.likelihood import THRESHOLD, likelihood_attack
from ...core.distances import files
from ...core.distances.choice import MOST_PRECISION
from ...core.distances.matrix import DistanceMatrix
from ...core.distances.rounding import rounding_of
from ...core.runtime.errors import InputError
from ...core.runtime.progress import weighted
from ...core.space.points import places
from ...core.verdict import SURE, judge
from .. import styling, verdicts
from ..base import GeoAnonAlgorithm, Help
from ..dialog import parameters as make
from ..dialog.declaration import Field, Value, private, reports
from ..dialog.numbers import LARGEST_WHOLE
from ..families import scoring, withholding
from ..families.matching import PLACE, Match, Other, match, shared_field
from ..families.releasing import UNITS
from ..i18n import mark, number_of, tr
from ..layers import keys, planes
from ..layers.areas import study_area
from ..layers.labels import labels_of, why_none_agree
from ..layers.reading import PointTable, Table, read_table
from ..layers.values import is_null, text_of
from ..reports import linkageattack as story
from ..reports.distances import not_attacked
from ..running import Result, existing

ABSOLUTE, COORDINATES, DISTANCES, LIPSCHITZ = (
    "absolute",
    "coordinate_noise",
    "distance_noise",
    "lipschitz",
)
RULES = [LIPSCHITZ, COORDINATES, DISTANCES, ABSOLUTE]
CLIQUE, LIKELIHOOD = "clique", "likelihood"


#: Field with the id of a known person.
_ID = "identification_id"
#: What is told of a match.
_MATCHED = (
    Field("in_every", "int", mark("1 if every maximum clique found has the match")),
    Field(
        "support",
        "double",
        mark(
            "0 to 1: how well its distances fit, over the number of candidates that could stand in "
            "its place; by likelihood, the confidence"
        ),
    ),
    Field("correct", "int", mark("by the key")),
)


@dataclass(frozen=True)
class _Case:
    """Everything that is read: the release, the known people, and who is who where known.

    ``found`` says where the key leads in the identification file, None without one.
    """

    target: Table
    target_ids: list
    matrix: DistanceMatrix
    known: PointTable
    known_ids: list
    found: Match | None
    key: keys.Key | None

    def truth(self, result: LinkageResult, target_labels, known_labels) -> np.ndarray | None:
        """Row in the identification file of each record, -1 where it has none."""
        if self.found is None or self.found.way != PLACE:
            return None if self.found is None else self.found.rows
        place_of_known = places(self.known.xy).of_point
        rows = self.found.rows
        same_place = np.where(rows >= 0, place_of_known[rows], -1)
        return share_out(same_place, place_of_known, target_labels, known_labels, result.matches)


class LinkageAttackAlgorithm(GeoAnonAlgorithm):
    """Link released records with known people by their distances."""

    NAME = "linkageattack"
    DISPLAY_NAME = mark("Graph-theoretic linkage attack")
    GROUP = "attackarelease"
    ICON = "linkageattack"
    TAGS = mark(
        "privacy, geomask, re-identification, record linkage, clique, graph matching, distance "
        "matrix, disclosure, adversary"
    )
    SHORT_DESCRIPTION = mark(
        "Plays the adversary who knows some people: links the records of a released distance "
        "matrix with them by age, sex and the like, and by distances."
    )
    HELP = Help(
        what=mark(
            "An adversary knows people: where they live, and some attributes (quasi-identifiers) "
            "that the released table has too. Records and people that agree in those are candidate "
            "matches. Two candidate matches support each other when the released distance of the "
            "records fits the true distance of the people, which is what the rule decides. The "
            "largest set of matches that all support each other (a maximum clique of the product "
            "graph) is what the adversary believes.\n\n"
            "The method likelihood goes further than the papers: it learns how likely each "
            "distance is, draws a map of all released records, lays it over the map of the known "
            "people, and claims the matches of which it is sure. Its support is a confidence.\n\n"
            "Records with an empty quasi-identifier are never linked. With the private key the "
            "matches are scored: precision is the share of them that are right, recall the share "
            "of the people in both files that were found. A key that contradicts what the attack "
            "is sure of belongs to other files, and scores nothing."
        ),
        when=mark(
            "Before you release distances: against a file like the one that an adversary may have, "
            "such as a register, a membership list, or the originals themselves as the worst case."
        ),
        cautions=(
            mark(
                "That these attacks fail is no proof of safety: they are the strongest known "
                "against distances, not the strongest possible. Try both methods."
            ),
            mark(
                "The method likelihood needs eight released records and eight known people at "
                "least, and takes released records to come from where the known people live. Its "
                "confidence holds where they do."
            ),
            mark(
                "The adversary is taken to know the method and its parameters, but no secret. "
                "Give the rule the parameters of the release."
            ),
            mark(
                "A precision above 25 % is not acceptable by the rule of the papers: it is less "
                "than hiding among four."
            ),
        ),
        reference=mark(
            "Kroll, M. (2015). A graph theoretic linkage attack on microdata in a metric space. "
            "Transactions on Data Privacy 8, 217–243. Kroll, M. and Schnell, R. (2016). "
            "Anonymisation of geographical distance matrices via Lipschitz embedding. "
            "International Journal of Health Geographics 15, 1."
        ),
    )
    REQUIRES = ("scipy",)

    OUTPUTS = (
        private(
            "OUTPUT",
            mark("Linked people"),
            mark("The known people, with the record that each was linked to."),
            "point",
            [
                Field(_ID, "long"),
                Field("target_id", "string", mark("the record linked to each")),
                Field("in_clique", "int", mark("1 if linked")),
                *_MATCHED,
            ],
            role=styling.LINKED,
            optional=False,
        ),
        private(
            "LINES",
            mark("True place to linked place"),
            mark(
                "Lines from each linked record's true place to the place it was linked to, where "
                "its person is among the known people. Needs the key."
            ),
            "line",
            [Field("target_id", "string"), Field("correct", "int")],
            role=styling.LINK_LINES,
        ),
        private(
            "MATCHES",
            mark("Matches"),
            mark("Table of the matches that the adversary believes."),
            "table",
            [Field("target_id", "string"), Field(_ID, "long"), *_MATCHED],
        ),
        replace(
            withholding.OUTPUT,
            help=mark(
                "The records that the adversary is sure of (of a clique, where accident makes none "
                "of its size), and those that the key says were found, at the places of the people "
                "they were linked to. Give this layer as “Records to withhold” (WITHHOLD) when you "
                "release again."
            ),
        ),
        *reports(mark("What the adversary finds, with maps.")),
        Value("VERTICES", mark("Candidate matches")),
        Value(
            "EDGES",
            mark("Agreeing pairs of them"),
            mark("Pairs of them whose distances agree; 0 by likelihood."),
        ),
        Value("CLIQUE", mark("Matches"), mark("Matches the adversary believes.")),
        Value(
            "PROVEN",
            mark("Proven to be the most"),
            mark(
                "1 if no larger set of matches exists, 0 if the search ended before, looked for "
                "none (likelihood), or had nothing to compare."
            ),
        ),
        Value("UNIQUE", mark("Matches in every maximum clique found"), mark("0 by likelihood.")),
        Value(
            "PRECISION",
            mark("Precision"),
            mark("Share of the matches that are right; needs a key that fits, and a match."),
        ),
        Value(
            "RECALL",
            mark("Recall"),
            mark(
                "Share of the people in both files that were found; needs a key that fits, and "
                "somebody in both files."
            ),
        ),
        *verdicts.OUTPUTS,
    )

    STEPS = {"read": 10, "attack": 80, "write": 5, "report": 5}

    def inputs(self):
        """Return what is read."""
        return [
            make.judged(
                make.table(
                    "TARGET",
                    tr("Released records"),
                    tr("The table that was released with the distance matrix."),
                )
            ),
            make.matrix_source(
                "MATRIX", tr("Released distance matrix"), tr("A .csv, .npz, .npy or .parquet file.")
            ),
            make.fields(
                "TARGET_QIS",
                tr("Quasi-identifiers of the records"),
                tr(
                    "Fields of the released table, such as age and sex. Leave empty to link by "
                    "distances alone."
                ),
                "TARGET",
            ),
            make.field(
                "TARGET_ID",
                tr("Id of the records"),
                tr(
                    "The field with the ids that the matrix has. Leave empty for released_id; "
                    "without "
                    "that field the rows are taken in their order."
                ),
                "TARGET",
            ),
            make.points(
                "IDENTIFICATION",
                tr("Known people"),
                tr("Points of known people (entities), in any coordinate reference system."),
            ),
            make.fields(
                "IDENTIFICATION_QIS",
                tr("Quasi-identifiers of the people"),
                tr("The same attributes of the known people, in the same order and coded alike."),
                "IDENTIFICATION",
            ),
            make.field(
                "IDENTIFICATION_ID",
                tr("Id of the people"),
                tr("Names the people in the results. Leave empty for the feature id."),
                "IDENTIFICATION",
            ),
            make.choice(
                "UNIT",
                tr("Unit of the matrix"),
                tr("Of the distances in the file, unless the file itself says so (.npz)."),
                list(UNITS),
                "m",
            ),
            make.metric(),
            make.choice(
                "METHOD",
                tr("Method"),
                tr(
                    "clique: the published attack, the largest set of matches whose distances all "
                    "agree. likelihood: ours, which weighs how likely each distance is, draws a "
                    "map "
                    "of the records and lays it over that of the known people; often stronger, and "
                    "slower on embeddings (about a minute)."
                ),
                [CLIQUE, LIKELIHOOD],
                CLIQUE,
            ),
            make.choice(
                "RULE",
                tr("When distances agree"),
                tr(
                    "lipschitz: by embedding the known people again and again. coordinate_noise, "
                    "distance_noise: by the noise's own spread. absolute: within a tolerance."
                ),
                RULES,
                LIPSCHITZ,
            ),
            make.number(
                "ALPHA",
                tr("Share of true pairs to accept (alpha)"),
                tr(
                    "For the method clique. Smaller is stricter and links fewer people, but not "
                    "always "
                    "more of them rightly. The papers try 0.1, 0.5 and 0.9, of which 0.9 mostly "
                    "finds "
                    "most. Not used by the rule absolute."
                ),
                0.9,
                0.0,
                1.0,
            ),
            make.integer(
                "SETS",
                tr("Number of reference sets (d)"),
                tr("For the rule lipschitz: as in the release."),
                20,
                1,
            ),
            make.integer(
                "SIZE",
                tr("Reference points in each set (k)"),
                tr("For the rule lipschitz: as in the release."),
                20,
                1,
            ),
            make.area(
                tr("the reference points, or the simulated pairs,"),
                tr("the convex hull of the known people"),
            ),
            make.number(
                "SIGMA",
                tr("Size of the noise"),
                tr(
                    "For the rules coordinate_noise and distance_noise: standard deviation, or the "
                    "scale b of Laplace noise."
                ),
                1000.0,
                0.0,
            ),
            make.choice(
                "SIGMA_UNIT",
                tr("Unit of the size"),
                tr("For the rule coordinate_noise: metres on the ground or degrees."),
                ["m", "degrees"],
                "m",
            ),
            make.choice(
                "DISTRIBUTION",
                tr("Distribution of the noise"),
                tr("For the rule distance_noise."),
                ["gaussian", "laplace"],
                "gaussian",
            ),
            make.metres(
                "EPSILON",
                tr("Tolerance (metres)"),
                tr("For the rule absolute: distances agree when they differ by less."),
                5000.0,
                optional=False,
            ),
            make.advanced(
                make.integer(
                    "REPLICATES",
                    tr("Embeddings of the known people"),
                    tr(
                        "For the rule lipschitz and the method clique: how often the known "
                        "people are "
                        "embedded to learn which distances are likely."
                    ),
                    1000,
                    2,
                )
            ),
            make.advanced(
                make.integer(
                    "MAX_STEPS",
                    tr("Most steps of the search"),
                    tr(
                        "For the method clique: the search ends after so many steps, and its "
                        "result is "
                        "called unproven. Leave empty for no limit."
                    ),
                    None,
                    1,
                    LARGEST_WHOLE,
                    optional=True,
                )
            ),
            make.advanced(
                make.number(
                    "TIME_LIMIT",
                    tr("Time limit of the search (seconds)"),
                    tr(
                        "After so long the search ends with what it has found, and its result is "
                        "called "
                        "unproven; what the adversary prepares before is not counted. 0 for no "
                        "limit. "
                        "Leave empty for a minute with the method clique, and none with likelihood."
                    ),
                    None,
                    0.0,
                    optional=True,
                )
            ),
            make.advanced(
                make.number(
                    "THRESHOLD",
                    tr("Least confidence"),
                    tr("For the method likelihood: matches that are less sure are not claimed."),
                    THRESHOLD,
                    0.0,
                    1.0,
                )
            ),
            make.seed(),
            make.table(
                "TRUTH",
                tr("Key, to score the attack"),
                tr(
                    "The private key table of the release. The originals are found among the known "
                    "people by the field that the key names, where they have it, else by place."
                ),
                optional=True,
            ),
            verdicts.limit(),
        ]

    def check(self, given):
        """Check what goes together."""
        pairs = [given.fields(name) for name in ("TARGET_QIS", "IDENTIFICATION_QIS")]
        if len(pairs[0]) != len(pairs[1]):
            return tr(
                "The records have {target} quasi-identifiers and the people {known}. They are "
                "compared one by one: give as many, in the same order."
            ).format(target=len(pairs[0]), known=len(pairs[1]))
        rule = given.choice("RULE")
        method = given.choice("METHOD")
        if rule == ABSOLUTE and method == LIKELIHOOD:
            return tr(
                "A tolerance does not say how likely a distance is. Choose the method "
                "clique, or the rule that the release was made by."
            )
        alpha = given.number("ALPHA")
        if rule != ABSOLUTE and not 0 < alpha < 1:
            return tr("Alpha must lie between 0 and 1, not {alpha:g}.").format(alpha=alpha)
        if rule == ABSOLUTE and not given.number("EPSILON") > 0:
            return tr("The tolerance must be a positive distance in metres.")
        if rule in (COORDINATES, DISTANCES) and not (given.number("SIGMA") > 0):
            return tr("The size of the noise must be positive.")
        return None

    def execute(self, run):
        """Read, attack, score, write, report."""
        if run.outputs.wanted("LINES") and run.source("TRUTH") is None:
            raise InputError(
                tr("Lines from the true place need the key. Give it, or leave the lines out.")
            )
        case = self._read(run, run.step("read"))
        known = case.known
        metric, said = planes.measure(run.choice("METRIC"), known.xy, known.crs)
        unit = case.matrix.unit if metric.unit == "m" else metric.unit
        matrix = DistanceMatrix(case.matrix.condensed, case.matrix.ids, unit)
        by_likelihood = run.choice("METHOD") == LIKELIHOOD
        rule, rounding, settings, more = self._rule(run, known, matrix, by_likelihood)
        kind = run.choice("RULE")
        run.tell(*said, *more)
        limit = run.number("TIME_LIMIT")
        if limit is None:
            limit = 0.0 if by_likelihood else CLIQUE_SECONDS
        qis = [run.fields(name) for name in ("TARGET_QIS", "IDENTIFICATION_QIS")]
        target_labels = labels_of(case.target.columns, qis[0], len(case.target))
        known_labels = labels_of(known.columns, qis[1], len(known))
        nothing = why_none_agree(target_labels, known_labels, list(zip(*qis)))
        common = dict(
            unit_length=UNITS.get(unit, 1.0),
            rounding=rounding,
            time_limit=limit or None,
            rng=run.rng(),
            progress=run.step("attack"),
        )
        files_and_rule = (target_labels, matrix, known_labels, known.xy, metric, rule)
        if by_likelihood:
            threshold = run.number("THRESHOLD")
            settings = [(tr("Method"), LIKELIHOOD), *settings, (tr("Least confidence"), threshold)]
            result = likelihood_attack(*files_and_rule, **common, threshold=threshold)
        else:
            settings.insert(0, (tr("Method"), CLIQUE))
            result = attack(
                *files_and_rule,
                **common,
                max_steps=run.number("MAX_STEPS"),
            )
        if result.stopped == "cancelled":
            # What was found until then is worth having, and says that it is unproven.
            run.outputs.finish_in_spite_of_cancel()
        truth = case.truth(result, target_labels, known_labels)
        claim = certainty(result, by_likelihood)
        judged = None
        if truth is not None:
            right = truth[result.matches[:, 0]] == result.matches[:, 1]
            named = case.found.named[result.matches[:, 0]]
            judged = scoring.judge(case.found, claim[named], right[named])
            truth = truth if judged.holds else None
        found = evidence(
            result,
            by_likelihood,
            most_in_common(target_labels, known_labels),
            None
            if truth is None
            else lambda matches: case.truth(
                replace(result, matches=matches), target_labels, known_labels
            ),
            None if truth is None else case.found.named,
        )
        scored = None
        if truth is not None:  # of matches that the key does not name it says nothing
            scored = score(replace(result, matches=result.matches[named]), truth)
        told = story.Attack(
            run.source("TARGET").sourceName(),
            run.source("IDENTIFICATION").sourceName(),
            result,
            scored,
            settings,
            [*said, *more],
            known.left_out,
            len(case.target),
            len(known),
            target_labels,
            known_labels,
            truth,
            by_likelihood,
            nothing,
            judged,
            claim,
        )
        verdict = judge(
            by_all_methods([found]),
            "file_with_places",
            "which_record",
            run.acceptable(),
        )
        if judged is not None:
            judged.tell(run.feedback)
        run.tell(*story.sentences(told))
        run.warn(*story.warnings(told), *story.dangers(told))
        self._write(run, case, result, truth, claim)
        numbers = {
            "VERTICES": result.vertices,
            "EDGES": result.edges,
            "CLIQUE": result.clique,
            "PROVEN": int(result.proven and not by_likelihood and result.vertices > 0),
            "UNIQUE": result.unique,
        }
        if scored is not None:
            numbers.update(existing({"PRECISION": scored.precision, "RECALL": scored.recall}))
        return Result(
            numbers,
            verdict,
            story.steps(told, verdict),
            [*story.other_method(told, kind), not_attacked()],
            lambda progress: story.report(told, self._pictures(case, result, truth, progress)),
        )

    # --- reading -------------------------------------------------------------------------------

    def _read(self, run, progress) -> _Case:
        of_target, of_matrix, of_known, of_key = weighted(progress, 30, 40, 25, 5)
        source = run.source("TARGET")
        id_fields = run.fields("TARGET_ID", source)
        if not id_fields and source.fields().lookupField(keys.RECORD) >= 0:
            id_fields = [keys.RECORD]
        qis = run.fields("TARGET_QIS", source)
        target = read_table(source, of_target, [*id_fields, *qis])
        given = run.choice("UNIT")
        path = run.path("MATRIX")
        matrix = files.read_matrix(path, of_matrix, unit=given)
        if not id_fields:
            run.warn(
                tr(
                    "The released records have no field {field}: they are taken in the order of "
                    "the "
                    "matrix."
                ).format(field=keys.RECORD)
            )
        ids = target.columns[id_fields[0]][:] if id_fields else list(matrix.ids)
        matrix = _in_order(matrix, ids, len(target))

        people = run.source("IDENTIFICATION")
        known_id = run.field("IDENTIFICATION_ID", people)
        known_qis = run.fields("IDENTIFICATION_QIS", people)
        key_source = run.source("TRUTH")
        key = None if key_source is None else keys.read_key(key_source)
        shared = shared_field(key, people.fields())
        known = run.points(
            people, of_known, [*known_qis, *(one for one in (known_id, shared) if one)]
        )
        if len(known) == 0 or len(target) == 0:
            raise InputError(
                tr("There is nothing to link: {records} and {people} with a place.").format(
                    records=number_of(len(target), "released record", "released records"),
                    people=number_of(len(known), "known person", "known people"),
                )
            )
        known_ids = known.columns[known_id][:] if known_id else known.ids.tolist()
        _refuse_doubles(known_ids, tr("known people"))
        found = None
        if key is not None:
            other = Other(
                people,
                known.ids.tolist(),
                known.xy,
                known.crs,
                known.columns,
                known_id,
            )
            found = match(key, ids, other, run.context, of_key)
        return _Case(target, ids, matrix, known, known_ids, found, key)

    def _rule(
        self, given, known: PointTable, matrix: DistanceMatrix, by_likelihood: bool
    ) -> tuple[Rule, tuple[float, float], list[tuple[str, object]], list[str]]:
        """The rule, how the matrix was rounded, what the report lists, and sentences."""
        kind = given.choice("RULE")
        alpha = given.number("ALPHA")
        sigma = given.number("SIGMA")
        nearest = rounding_of(matrix.condensed, down=False)
        step = sum(nearest)
        settings: list[tuple[str, object]] = [(tr("When distances agree"), kind)]
        if step:
            settings.append((tr("Steps of the released distances"), f"{step:g} {matrix.unit}"))
        if kind == ABSOLUTE:
            epsilon = given.number("EPSILON")
            settings.append((tr("Tolerance (metres)"), epsilon))
            # The tolerance is the user's own: the rounding is part of what he allows for.
            return AbsoluteTolerance(epsilon), (0.0, 0.0), settings, []
        if not by_likelihood:  # which has no use for it
            settings.append((tr("Alpha"), alpha))
        if kind == DISTANCES:
            distribution = given.choice("DISTRIBUTION")
            settings += [(tr("Noise"), distribution), (tr("Size of the noise"), sigma)]
            return DistanceNoise(distribution, sigma, alpha), nearest, settings, []
        area, sentence, _ = study_area(given.source("AREA"), known.xy, known.crs, given.context)
        if kind == COORDINATES:
            unit = given.choice("SIGMA_UNIT")
            settings.append((tr("Size of the noise"), f"{sigma:g} {unit}"))
            rule = CoordinateNoise(sigma, unit == "degrees", alpha, area, planes.wkt(known.crs))
            return rule, nearest, settings, [sentence]
        sets = given.number("SETS")
        size = given.number("SIZE")
        replicates = given.number("REPLICATES")
        settings += [
            (tr("Reference sets (d)"), sets),
            (tr("Points in each set (k)"), size),
        ]
        if not by_likelihood:
            settings.append((tr("Embeddings of the known people"), replicates))
        rule = LipschitzEmbedding(sets, size, area, alpha, replicates)
        return rule, (step, 0.0), settings, [sentence]

    # --- writing -------------------------------------------------------------------------------

    @staticmethod
    def _correct(case: _Case, result: LinkageResult, truth) -> list[int | None]:
        """Whether each match is right: 1, 0, or None where the key does not say."""
        if truth is None:
            return [None] * result.clique
        right = (truth[result.matches[:, 0]] == result.matches[:, 1]).astype(int).tolist()
        named = case.found.named[result.matches[:, 0]].tolist()
        return [one if known else None for one, known in zip(right, named)]

    def _write(self, run, case, result, truth, claim) -> None:
        known, count, id_field = case.known, len(case.known), _ID
        source = run.source("IDENTIFICATION")
        chosen = run.field("IDENTIFICATION_ID")
        if chosen:
            id_field = QgsField(source.fields().field(chosen))
            id_field.setName(_ID)
        correct = self._correct(case, result, truth)
        target_ids = [text_of(case.target_ids[row]) for row in result.matches[:, 0].tolist()]
        linked = {row: number for number, row in enumerate(result.matches[:, 1].tolist())}
        order = [linked.get(row) for row in range(count)]

        def of_match(values, otherwise=None):
            return [otherwise if number is None else values[number] for number in order]

        support = result.support.tolist()
        in_every = [None] * result.clique  # not asked after a search that was stopped
        if result.in_every is not None:
            in_every = result.in_every.astype(int).tolist()
        run.outputs.add_points(
            "OUTPUT",
            known.xy,
            [id_field, "target_id", "in_clique", "in_every", "support", "correct"],
            [
                case.known_ids,
                of_match(target_ids),
                [int(number is not None) for number in order],
                of_match(in_every),
                of_match(support),
                of_match(correct),
            ],
            known.crs,
        )
        run.outputs.add_table(
            "MATCHES",
            ["target_id", id_field, "in_every", "support", "correct"],
            [
                target_ids,
                [case.known_ids[row] for row in result.matches[:, 1].tolist()],
                in_every,
                support,
                correct,
            ],
        )
        # A clique knows no probabilities: it is believed where accident makes none of its size.
        sure = MOST_PRECISION if result.search is not None else SURE
        at_risk = (claim > sure) | np.array([one == 1 for one in correct], dtype=bool)
        withholding.add(
            run.outputs,
            np.flatnonzero(at_risk),
            target_ids,
            case.key,
            known.xy[result.matches[:, 1]],
            known.crs,
            np.zeros(result.clique, dtype=bool),
            claim,
        )
        if run.outputs.wanted("LINES"):
            at = np.full(result.clique, -1) if truth is None else truth[result.matches[:, 0]]
            rows = np.flatnonzero(at >= 0)
            run.outputs.add_lines(
                "LINES",
                known.xy[at[rows]],
                known.xy[result.matches[rows, 1]],
                ["target_id", "correct"],
                [[target_ids[row] for row in rows], [correct[row] for row in rows]],
                known.crs,
            )

    def _pictures(self, case, result, truth, progress):
        from ..maps.pictures import linkage_pictures

        count = len(case.known)
        in_clique = np.zeros(count, dtype=bool)
        in_clique[result.matches[:, 1]] = True
        correct = true_xy = None
        if truth is not None:
            correct = np.full(count, np.nan)
            correct[result.matches[:, 1]] = [
                np.nan if one is None else one for one in self._correct(case, result, truth)
            ]
            true_xy = np.full((count, 2), np.nan)
            at = truth[result.matches[:, 0]]
            there = at >= 0
            true_xy[result.matches[there, 1]] = case.known.xy[at[there]]
        return linkage_pictures(
            case.known.xy, case.known.crs, in_clique, correct, true_xy, progress
        )


def _in_order(matrix: DistanceMatrix, ids: list, count: int) -> DistanceMatrix:
    """Return the matrix of the records of a table, in the table's order.

    Raises
    ------
    InputError
        If they are not the same records.
    """
    names = [text_of(one) for one in ids]
    if len(ids) != count or len(matrix) != count:
        raise InputError(
            tr(
                "The table has {table} and the matrix {matrix:,}. Choose the table and the matrix "
                "of one release."
            ).format(table=number_of(count, "record", "records"), matrix=len(matrix))
        )
    _refuse_doubles(ids, tr("released records"))
    place = {text_of(one): row for row, one in enumerate(matrix.ids)}
    missing = [name for name in names if name not in place]
    if missing:
        raise InputError(
            tr(
                "{records} not in the matrix (the first has the id {id}). Choose the field with "
                "the ids that the matrix has."
            ).format(
                records=number_of(
                    len(missing), "record of the table is", "records of the table are"
                ),
                id=missing[0],
            )
        )
    rows = [place[name] for name in names]
    return matrix if rows == list(range(count)) else matrix.subset(rows)


def _refuse_doubles(ids: list, what: str) -> None:
    seen = set()
    for one in ids:
        name = None if is_null(one) else text_of(one)
        if name is None or name in seen:
            raise InputError(
                mark("One of the {what} has no id. Choose a field that names each of them once.")
                if name is None
                else mark(
                    "The {what} hold the id {id} twice. Choose a field that names each of them once."
                ),
                what=what,
                id=name,
            )
        seen.add(name)
