# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:attackmask."""

from __future__ import annotations

import numpy as np

from ...core.verdict import SURE, judge
from .. import literature, styling, verdicts
from ..base import GeoAnonAlgorithm, Help
from ..dialog import notes, parameters
from ..dialog.declaration import Field, Value, private, reports
from ..families import withholding
from ..families.attacking.attack import attack
from ..families.attacking.attacked import BOTH, PLACE, RECORD
from ..i18n import mark, tr
from ..layers import keys
from ..reports import attackmask as reporting
from ..running import Result, existing


class AttackMaskAlgorithm(GeoAnonAlgorithm):
    """Attack masked points by what is known of their mask."""

    NAME = "attackmask"
    DISPLAY_NAME = mark("Posterior attack on a point mask")
    GROUP = "attackarelease"
    TAGS = mark(
        "privacy, geomask, re-identification, posterior, Bayes, likelihood, adversary, k-anonymity, "
        "risk, displacement, donut, exchange"
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
            "weighs each record by how much better her home explains it than anybody's does. With "
            "the key every person of the file is tried in turn.\n\n"
            "With the key guesses are scored; without it, the adversary's own probabilities say "
            "how many are right. They agree where the mask file is that of the release."
        ),
        when=mark(
            "On points that were masked by “Displacement masking” or “Exchange of addresses” "
            "(METHOD=exchange), before they are released."
        ),
        cautions=(
            mark(
                "Earlier releases of the same people, and attributes that he knows, make him "
                "stronger; they are not part of this attack."
            ),
            mark(
                "The list must have the homes of all records, or their points are weighed among "
                "the wrong addresses. With the key those that lack are counted."
            ),
            mark(
                "Without the key the second adversary cannot be tried, and he is the stronger one "
                "where the file is a small part of all people. The verdict then says that nobody "
                "can tell."
            ),
        ),
        sources=(literature.ZANDBERGEN,),
        reference=mark("The attack is our own; its formulas stand in the source beside the code."),
    )
    OUTPUTS = (
        private(
            "OUTPUT",
            mark("Guesses"),
            mark("Each released record at the likeliest address, with what he believes."),
            "point",
            [
                Field(keys.RELEASED, "string"),
                Field("probability", "double", mark("of that address")),
                Field("tied", "int", mark("addresses that are as likely")),
                Field("effective_k", "double", mark("effective number of addresses")),
                Field("of_truth", "double", mark("probability of the true address, by the key")),
                Field(
                    "record_probability", "double", mark("of the likeliest record of the person")
                ),
            ],
            role=styling.GUESSED,
            optional=False,
        ),
        withholding.OUTPUT,
        *reports(mark("What both adversaries find, how sure they are, and of whom.")),
        Value("IDENTIFIED", mark("People found by their place"), mark("Expected, or by the key.")),
        Value("MEAN_TOP", mark("Mean of his largest probability of a place")),
        Value("WORST", mark("Largest probability of a place")),
        Value("EFFECTIVE_K", mark("Median effective number of addresses")),
        Value(
            "RECORDS_IDENTIFIED",
            mark("People whose record is found"),
            mark("By the key, for who knows that they are in the file."),
        ),
        Value("RECORDS_MEAN_TOP", mark("Mean of his largest probability of a record")),
        Value("RECORDS_WORST", mark("Largest probability of a record")),
        Value("UNEXPLAINED", mark("Points that no address of the list explains")),
        *verdicts.OUTPUTS,
    )
    STEPS = {
        "read": 10,
        "candidates": 20,
        "public": 5,
        "sizes": 5,
        "zones": 5,
        "attack": 30,
        "together": 10,
        "write": 10,
        "report": 5,
    }

    def inputs(self):
        """Return what is read."""
        return [
            notes.judged(
                parameters.points(
                    "INPUT", tr("Masked points"), tr("The released layer that is attacked.")
                )
            ),
            parameters.file_source(
                "MASK",
                tr("Mask file"),
                tr("The private file that was written as MASK with the release."),
                tr("JSON files (*.json)"),
                optional=False,
            ),
            parameters.points(
                "CANDIDATES",
                tr("Address list"),
                tr(
                    "All places where people of the file could live, in any reference system. For "
                    "an exchange, the list that it was made with."
                ),
            ),
            parameters.field(
                "WEIGHT",
                tr("Dwellings or people at an address"),
                tr(
                    "Of the list: how likely each address is beforehand. Empty: all alike, and one "
                    "that is listed for each of its dwellings as often as it is listed."
                ),
                "CANDIDATES",
                numeric=True,
            ),
            parameters.table(
                "KEY",
                tr("Key, to score the attack and to try the second adversary"),
                tr("The private table that was written with the release."),
                optional=True,
            ),
            parameters.choice(
                "ADVERSARY",
                tr("Adversary"),
                tr(
                    "whose_place: who lives there? which_record: which record is hers? both: the "
                    "worse of the two decides."
                ),
                [BOTH, PLACE, RECORD],
                BOTH,
            ),
            parameters.source(
                "POPULATION",
                tr("Population areas"),
                tr("If the mask took its sizes from them: the same layer."),
                "polygon",
                optional=True,
                advanced=True,
            ),
            parameters.field(
                "POPULATION_FIELD",
                tr("Field with the number of people"),
                tr("Of the population areas."),
                "POPULATION",
                numeric=True,
                advanced=True,
            ),
            parameters.raster(
                "RASTER",
                tr("Population raster"),
                tr("If the mask took its sizes from it: the same raster."),
            ),
            parameters.source(
                "ZONES",
                tr("Zones"),
                tr("If points stayed in zones: the same layer."),
                "polygon",
                optional=True,
                advanced=True,
            ),
            parameters.source(
                "AVOID",
                tr("Areas to avoid"),
                tr("If the mask avoided areas: the same layer."),
                "polygon",
                optional=True,
                advanced=True,
            ),
            parameters.metres(
                "WITHIN",
                tr("A record may miss its address by (metres)"),
                tr("As the exchange was told (WITHIN), to find homes by the key."),
                0.0,
            ),
            verdicts.limit(),
        ]

    def check(self, given):
        """The second adversary needs homes."""
        if given.choice("ADVERSARY") == RECORD and not given.has("KEY"):
            return tr(
                "ADVERSARY=which_record needs the key (KEY): it says where the people live whom "
                "he knows. Give it, or choose another adversary."
            )
        if given.same_layer("INPUT", "CANDIDATES"):
            return tr(
                "The address list is the released layer itself. Choose a list of all places where "
                "the people could live."
            )
        return None

    def execute(self, run):
        """Read, attack, score, write, report."""
        found = attack(run)
        run.tell(*found.sentences, *reporting.sentences(found))
        run.warn(*reporting.warnings(found))
        self._write(run, found)
        evidence = found.evidence()
        who = run.choice("ADVERSARY")
        not_run = reporting.not_run(found, who)
        if who == BOTH and found.record is None:
            evidence = [one.with_caveat("one_adversary") for one in evidence]
        knows, wants = reporting.ADVERSARIES[who]
        verdict = judge(evidence, knows, wants, run.acceptable())
        return Result(
            existing(reporting.numbers(found)),
            verdict,
            reporting.steps(found, verdict),
            not_run,
            lambda progress: reporting.report(found),
        )

    @staticmethod
    def _write(run, found) -> None:
        place, count = found.place, len(found.ids)
        ids = [None if one is None else str(one) for one in found.ids]
        nothing = np.full(count, np.nan)
        record = nothing.copy()
        if found.record is not None:
            record[found.asked] = found.record.top
        if place is None:
            columns = [ids, nothing, np.zeros(count, dtype=int), nothing, nothing, record]
            run.outputs.add_points(
                "OUTPUT", np.full((count, 2), np.nan), None, columns, found.released.crs
            )
            return
        best = place.best
        xy = np.where((best >= 0)[:, None], found.listed.xy[found.rows[best]], np.nan)
        truth = nothing if found.home is None else place.of_truth(found.home)
        columns = [ids, place.top, place.tied, place.effective, truth, record]
        run.outputs.add_points("OUTPUT", xy, None, columns, found.released.crs)
        sure = np.flatnonzero((place.top >= SURE) & (best >= 0))
        withholding.add(
            run.outputs,
            sure,
            found.ids,
            found.key,
            xy,
            found.released.crs,
            np.zeros(count, dtype=bool),
            place.top,
        )
