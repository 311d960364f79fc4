# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:linkageattack."""

from __future__ import annotations

from ...core.attacks.by_name import CLIQUE, STRONGEST
from ...core.runtime.errors import InputError
from ...core.runtime.progress import weighted
from ...core.verdict import judge
from .. import literature, verdicts
from ..base import GeoAnonAlgorithm, Help
from ..dialog.declaration import Value, reports
from ..families.linkage import adversary, further, methods, outputs, parameters, rules
from ..families.linkage.findings import Finding
from ..i18n import mark, tr
from ..reports import linkageattack as reporting
from ..reports import linkageattack_verdict
from ..reports.distances import not_attacked
from ..running import Result, existing

#: How many times as long methods take without numba that look for a clique.
_CLIQUE_WITHOUT_NUMBA = {CLIQUE: 25.0, STRONGEST: 3.5}


class LinkageAttackAlgorithm(GeoAnonAlgorithm):
    """Link released records with known people by their distances."""

    NAME = "linkageattack"
    DISPLAY_NAME = mark("Graph-theoretic linkage attack")
    GROUP = "attackarelease"
    TAGS = mark(
        "privacy, re-identification, record linkage, clique, graph matching, distance matrix, "
        "disclosure, adversary"
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
            "The other methods go further than the papers, and say how sure they are of each "
            "match. near_group looks for people who live near each other: a release keeps their "
            "distances best, and a group of them that all fits is hardly made by chance. "
            "likelihood draws a map of all released records and lays it over that of the known "
            "people. signatures compares a record's distances to all others with those that the "
            "known people have in releases of the adversary's own. strongest runs them all.\n\n"
            "An adversary may know more. Known links (KNOWN_LINKS) are records of whom he knows "
            "already who they are: they are held fixed, rule out who contradicts them, and are "
            "nowhere among what is found or scored. Further releases of the same people "
            "(MORE_MATRICES) are put together: of embeddings the largest distance of each pair is "
            "one embedding with all their reference sets, and the mean of noisy distances has less "
            "noise. Their records need no common ids: where ids do not mean the same people, "
            "records are linked by what their distances to all others look like (and by "
            "attributes, with MORE_TARGETS). Whoever cannot be linked surely counts as the first "
            "release alone has him.\n\n"
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
                "against distances, not the strongest possible. Try all methods."
            ),
            mark(
                "The methods likelihood and signatures need eight released records and eight known "
                "people at least, and take released records to come from where the known people "
                "live. Their confidence holds where they do. Under noise that of likelihood is right "
                "over many releases; in one it may be off either way, most where people live with "
                "others who have the same attributes."
            ),
            mark(
                "Under noise, and of ISGP releases, the near group's confidence is a lower bound: on "
                "average over many matches as many are right as it says, or more. It is never above "
                "what pairs that must be wrong allow in the same files. In one file it may be off "
                "either way."
            ),
            mark(
                "The adversary is taken to know the method and its parameters, but no secret. Give "
                "the rule the parameters of the release."
            ),
            mark(
                "A precision above 25 % is not acceptable by the rule of the papers: it is less "
                "than hiding among four."
            ),
        ),
        sources=(literature.KROLL, literature.KROLL_SCHNELL),
    )
    REQUIRES = ("scipy",)

    OUTPUTS = (
        *outputs.LAYERS,
        *reports(mark("What the adversary finds, with maps.")),
        Value("VERTICES", mark("Candidate matches")),
        Value(
            "EDGES",
            mark("Agreeing pairs of them"),
            mark("Pairs of them whose distances agree; of a clique only."),
        ),
        Value("CLIQUE", mark("Matches"), mark("Matches the adversary believes.")),
        Value(
            "PROVEN",
            mark("Proven to be the most"),
            mark(
                "1 if no larger clique exists, 0 if the search ended before, looked for none (the "
                "other methods), or had nothing to compare."
            ),
        ),
        Value("UNIQUE", mark("Matches in every maximum clique found"), mark("Of a clique only.")),
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

    WITHOUT_NUMBA = 2.0
    STEPS = {"read": 10, "attack": 80, "write": 5, "report": 5}

    def inputs(self):
        """Return what is read."""
        return parameters.inputs()

    def filled(self, given):
        """Take from the mask file what it says."""
        return parameters.filled(given)

    def check(self, given):
        """Check what goes together."""
        return parameters.check(given)

    def without_numba(self, given):
        """The search for a clique loses most."""
        return _CLIQUE_WITHOUT_NUMBA.get(given.choice("METHOD"), self.WITHOUT_NUMBA)

    def execute(self, run):
        """Read, attack, score, write, report."""
        if run.outputs.wanted("LINES") and run.source("TRUTH") is None:
            raise InputError(
                tr("Lines from the true place need the key. Give it, or leave the lines out.")
            )
        has, method = adversary.read(run, run.step("read")), run.choice("METHOD")
        making = rules.making_of(run, has, method in (CLIQUE, STRONGEST))
        run.tell(*has.sentences, *making.sentences)
        linking, attacking = weighted(run.step("attack"), 20 * len(has.released.matrices) - 20, 80)
        has = further.put_together(has, making, run, linking)
        result = methods.run_method(method, has, making, run, attacking)
        found = Finding(has, making, methods.settings_of(method, making, run), method, result)
        verdict = judge(found.evidence, *has.names, run.acceptable())
        if found.judged is not None:
            found.judged.tell(run.feedback)
        run.tell(*linkageattack_verdict.sentences(found))
        run.warn(*linkageattack_verdict.warnings(found), *linkageattack_verdict.dangers(found))
        outputs.write(run, found)
        return Result(
            _numbers(found),
            verdict,
            linkageattack_verdict.steps(found, verdict),
            [*linkageattack_verdict.not_run(found), not_attacked()],
            lambda progress: reporting.report(found, _pictures(found, progress)),
        )


def _numbers(found: Finding) -> dict[str, float]:
    result, scored = found.result, found.scored
    numbers = {
        "VERTICES": result.vertices,
        "EDGES": result.edges,
        "CLIQUE": result.clique,
        "PROVEN": int(result.proven and not found.has_confidence and result.vertices > 0),
        "UNIQUE": result.unique,
    }
    if scored is not None:
        numbers.update(existing({"PRECISION": scored.precision, "RECALL": scored.recall}))
    return numbers


def _pictures(found: Finding, progress):
    from ..maps.pictures import linkage_pictures

    known = found.adversary.known.table
    return linkage_pictures(known.xy, known.crs, *outputs.drawn(found), progress)
