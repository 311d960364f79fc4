# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:attackmask."""

from __future__ import annotations

from ...core.experiments.masks.standing import Limit
from ...core.verdict import judge
from .. import literature
from ..base import GeoAnonAlgorithm, Help
from ..families.attacking import inputs, outputs
from ..families.attacking.adversaries import BOTH
from ..families.attacking.attack import attack
from ..i18n import mark
from ..reports import attackmask as reporting
from ..reports import attackmask_page
from ..running import Result, existing


class AttackMaskAlgorithm(GeoAnonAlgorithm):
    """Attack masked points by what is known of their mask."""

    NAME = "attackmask"
    DISPLAY_NAME = mark("Posterior attack on a point mask")
    GROUP = "attackarelease"
    TAGS = mark(
        "privacy, re-identification, posterior, Bayes, likelihood, adversary, k-anonymity, risk, "
        "displacement, exchange, swap, aggregation, grid, streets, GDPR"
    )
    SHORT_DESCRIPTION = mark(
        "Plays two adversaries who know the mask: one asks who lives at the true place of each "
        "point, the other which record belongs to a person whom he knows to be in the file."
    )
    HELP = Help(
        what=mark(
            "The mask file says how points were moved. For each released point and each address "
            "the probability is computed with which the mask leads from one to the other, and from "
            "that what an adversary believes.\n\n"
            "Who lives there? He has the address list and does not know who is in the file. He "
            "weighs each address by its probability and by the people who live there, knows that "
            "no two places of the file are one address, and guesses the likeliest.\n\n"
            "Which record is hers? He knows that a person is in the file, and where she lives. He "
            "weighs each record by how much better her home explains it than anybody's does. He "
            "asks for the people of MEMBERS, or with the key for every person of the file in turn.\n\n"
            "With the key guesses are scored; without it, the adversary's own probabilities say "
            "how many are right. They agree where the mask file is that of the release."
        ),
        when=mark(
            "On points that were masked by displacement, exchange of addresses (also in cells "
            "and groups), location swapping, aggregation, street or adaptive Voronoi masking, "
            "before they are released; and by any other tool, if you can mask public points with "
            "it (BEFORE, AFTER). Points of “Voronoi masking” have no mask file: run “Reverse "
            "Voronoi masking” (geoanon:reversevoronoi) on them, which finds the pairs that they lie "
            "between."
        ),
        cautions=(
            mark(
                "Further releases of the same people, and attributes that he knows, make him "
                "stronger. They are part of this attack where they are named."
            ),
            mark(
                "The list must have the homes of all records, or their points are weighed among "
                "the wrong addresses. With the key those that lack are counted; for displaced points "
                "UNLISTED says how many lack, and each address is believed so much less."
            ),
            mark(
                "Without the key, and without people who are known to be in the file (MEMBERS), the "
                "second adversary cannot be tried, and he is the stronger one where the file is a "
                "small part of all people. The verdict then says that nobody can tell."
            ),
        ),
        sources=(literature.ZANDBERGEN,),
        reference=mark("The attack is our own; its formulas stand in the source beside the code."),
    )
    OUTPUTS = outputs.OUTPUTS
    WITHOUT_NUMBA = 1.8
    STEPS = {
        "read": 10,
        "candidates": 20,
        "estimate": 10,
        "public": 5,
        "sizes": 5,
        "zones": 5,
        "people": 2,
        "members": 2,
        "merge": 3,
        "areas": 3,
        "streets": 5,
        "attack": 30,
        "further": 20,
        "unlisted": 5,
        "together": 10,
        "write": 10,
        "report": 5,
    }

    def inputs(self):
        """Return what is read."""
        return inputs.inputs()

    def check(self, given):
        """Say what does not go together."""
        return inputs.check(given)

    def execute(self, run):
        """Read, attack, score, write, report."""
        found, limit = attack(run), Limit(run.acceptable(), run.choice("LIMIT_ON"))
        run.tell(*found.sentences, *reporting.sentences(found, limit))
        run.warn(*reporting.warnings(found))
        outputs.write(run, found)
        evidence = found.evidence(limit)
        who = run.choice("ADVERSARY")
        not_run = reporting.not_run(found, who)
        if who == BOTH and found.record is None:
            evidence = [one.with_caveat("one_adversary") for one in evidence]
        knows, wants = reporting.ADVERSARIES[who]
        verdict = judge(evidence, knows, wants, run.acceptable())
        return Result(
            existing(reporting.numbers(found, limit)),
            verdict,
            reporting.steps(found, verdict),
            not_run,
            lambda progress: attackmask_page.report(found, limit),
        )
