# SPDX-License-Identifier: GPL-2.0-or-later
"""Which mask is recommended, in a sentence: how it stands, or what those lack that do not hold."""

from __future__ import annotations

import numpy as np

from ...runtime.wording import Sentence, joined, mark, number_of
from .advice import Advice
from .case import PLACE, RECORD
from .embedded import Embedded
from .judged import CROWDED, INCOMPLETE, can_be_taken
from .prior_odds import rounded_down
from .search import HELD, MOST_WITHHELD, Found
from .standing import EVERY_RECORD, MEAN, MOST_RECORDS, Limit

#: What a mask is called.
NAMES = {
    "disc": mark("disc"),
    "donut": mark("donut"),
    "gaussian": mark("Gaussian"),
    "laplace": mark("planar Laplace"),
    "disc by addresses": mark("disc by addresses"),
    "donut by addresses": mark("donut by addresses"),
    "gaussian by addresses": mark("Gaussian by addresses"),
    "laplace by addresses": mark("planar Laplace by addresses"),
    "swap": mark("location swapping"),
    "exchange": mark("exchange of addresses"),
    "cells": mark("cells of addresses"),
    "groups": mark("groups of records"),
    "grid": mark("squares"),
    "hexagons": mark("hexagons"),
    "streets": mark("along streets"),
    "merged zones": mark("merged zones"),
    "areas": mark("areas of addresses"),
    "distances after gaussian": mark("distances between points moved by a Gaussian"),
    "distances after exchange": mark("distances between exchanged addresses"),
    "distances after groups": mark("distances between places changed in groups"),
}
#: Who he is.
WHO = {
    PLACE: mark("Who has the list"),
    RECORD: mark("Who knows besides that a person is in the file"),
}
#: What is limited.
LIMITED = {
    EVERY_RECORD: mark("nobody above {limit:.3g} %"),
    MOST_RECORDS: mark("at most 1 % of the records above {limit:.3g} %"),
    MEAN: mark("at most {limit:.3g} % found on average"),
}
_BEST = mark("{name} ({parameters}): of the masks that hold it keeps most. {stands}")
_NONE = mark("No point mask of those tried can be recommended: {limit} is not kept. {nearest}")
_NEAREST = mark("{name} ({parameters}) comes nearest. {stands}")
_WOULD = mark(
    "No point mask can be recommended, since nobody can tell: {lacking} Of the trials that could be"
    " made {name} ({parameters}) comes through, and keeps most. {stands}"
)
#: What is lacking, and what would do.
_LACKING = {
    INCOMPLETE: mark(
        "records lie at no address of the list, and were not tried. Add their addresses to the list,"
        " or take the nearest one (WITHIN), and choose again."
    ),
    CROWDED: mark(
        "some homes have several records, which are released at one point, and the list tells where"
        " many live; who puts the two together finds more, and that was not weighed. Choose again"
        " with one record for each home, or with a list that has each address once and no WEIGHT if"
        " nobody knows how many live at an address."
    ),
}
_STANDS = mark(
    "{who} finds {mean:.2%} (95 % interval to {high:.2%}); above the limit {above:.2%}; the surest"
    " {worst:.1%}."
)
_SHOWN = mark("Sure of {people}.")
_LINKED = mark(
    "These are the shares behind the masked points, which distances cannot exceed; who knows everybody"
    " of a neighbourhood links {share:.1%} of them by the distances, {low:.1%} to {high:.1%} by draw."
)
#: What is believed beforehand: how far it may be from the list.
_ALLOWED = mark(
    "These are the largest shares of anybody who may hold each address for {ratio:.6g} times as likely to be"
    " in the file, against the others, as the list says."
)
_BEARS = mark(
    "The limit is kept as long as nobody has reason to hold an address for more than {ratio:.6g} times as"
    " likely to be in the file, against the others, as the list says."
)
_BEARS_ALL = mark("The limit is kept whatever anybody believes beforehand of who is in the file.")
_WITHHOLDS = mark("It withholds {withheld:.1%} of the records.")
_FEW_RECORDS = mark(
    "There are records at {people} only. Who knows that a person is in the file finds hers with one"
    " in {people} even if all are put together; a limit of {limit:.3g} % takes {least:,} to hide"
    " among. Release areas with counts in place of points (geoanon:vbas, K={least}), or take a"
    " limit of {possible:.3g} % or more, which groups of {half:,} records can keep."
)
_AGAINST_MEMBER = mark(
    "Against who knows that a person is in the file an exchange alone would need about {wanted:,}"
    " partners of {addresses:,} addresses. Try groups with coarser attributes, or release areas with"
    " counts in place of points (geoanon:vbas, K={least})."
)
_AREAS = mark(
    "Release areas with counts in place of points (geoanon:vbas, K={least}), or raise the limit."
)
_KEPT_BY = mark("A limit of {share:.3g} % is kept by {name} ({parameters}).")
_KEEPS = mark(
    "A limit of {share:.3g} % is kept by {name} ({parameters}), which hides records among {least:,}."
)


def limited(limit: Limit) -> Sentence:
    """Say what is held to be acceptable."""
    return Sentence(LIMITED[limit.on], limit=100 * limit.share)


def name_of(found: Found) -> Sentence:
    """Name a mask."""
    return Sentence(NAMES[found.family.name])


def parameters_of(found: Found) -> str:
    """Parameters of the size that was judged, as they are given to the algorithm."""
    told = dict(found.parameters)
    if isinstance(found.family, Embedded) and found.standing is not None:
        told |= found.family.mask_parameters(found.standing.size)
    return ", ".join(
        f"{key}={value:g}" if isinstance(value, float) else f"{key}={value}"
        for key, value in told.items()
    )


def stands(found: Found, limit: Limit) -> Sentence:
    """Say what each adversary finds behind a mask."""
    standing = found.standing
    assert standing is not None  # only masks that were tried are told of
    said = []
    for name, one in standing.against.items():
        above = sum(one.above) / max(len(one.above), 1)
        said.append(
            Sentence(
                _STANDS,
                who=Sentence(WHO[name]),
                mean=one.mean,
                high=one.ends[1],
                above=above,
                worst=one.worst,
            )
        )
        if one.exposed:
            said.append(Sentence(_SHOWN, people=number_of(one.exposed, "person", "people")))
    if standing.links is not None:
        share, low, high = standing.links
        said.append(Sentence(_LINKED, share=share, low=low, high=high))
    if standing.withheld > 0:
        said.append(Sentence(_WITHHOLDS, withheld=standing.withheld))
    return joined(said)


def sentence(advice: Advice) -> Sentence:
    """Say what is recommended; where nothing is, what comes nearest and what would do."""
    near = advice.nearest
    if near is None:
        return joined([Sentence(_NONE, limit=limited(advice.limit), nearest=""), instead(advice)])
    asked = advice.prior_odds > 1
    allowed = [Sentence(_ALLOWED, ratio=advice.prior_odds)] if asked else []
    told = {
        "name": name_of(near),
        "parameters": parameters_of(near),
        "stands": joined([stands(near, advice.limit), *allowed]),
    }
    if advice.best is not None:
        return joined([Sentence(_BEST, **told), *beforehand(advice)])
    if near is advice.would_be:
        return Sentence(_WOULD, lacking=lacking(advice), **told)
    return joined(
        [
            Sentence(_NONE, limit=limited(advice.limit), nearest=Sentence(_NEAREST, **told)),
            instead(advice),
        ]
    )


def beforehand(advice: Advice) -> list[Sentence]:
    """Say up to which beliefs of who is in the file the recommended mask keeps the limit."""
    assert advice.best is not None
    ratio = advice.bears(advice.best)
    if np.isinf(ratio):
        return [Sentence(_BEARS_ALL)]
    return [Sentence(_BEARS, ratio=rounded_down(ratio))]


def lacking(advice: Advice) -> Sentence:
    """Say why the trials are a lower bound, and what would do."""
    return joined([Sentence(_LACKING[name]) for name in advice.caveats])


def instead(advice: Advice) -> Sentence:
    """Say what would do where no point mask does."""
    if advice.would_be is not None and advice.best is None:
        return lacking(advice)
    least, people = advice.limit.least, advice.people
    asks_record = any(
        one.standing is not None and RECORD in one.standing.against for one in advice.found
    )
    half = max(2, people // 2)
    if asks_record and people // 2 < least:
        return Sentence(
            _FEW_RECORDS,
            people=number_of(people, "place", "places"),
            limit=100 * advice.limit.share,
            least=least,
            possible=100 / half,
            half=half,
        )
    least = advice.limit.least_addresses(advice.prior_odds)
    said = [Sentence(_AREAS, least=least)]
    if asks_record:
        wanted, all_of_them = advice.partners_wanted, advice.addresses
        said = [Sentence(_AGAINST_MEMBER, wanted=wanted, addresses=all_of_them, least=least)]
    keeps = advice.would_keep
    if keeps is not None:
        share, one = keeps
        told = {"name": name_of(one), "parameters": parameters_of(one)}
        # Rounded up, that it is kept as it is said.
        share = float(np.ceil(share * 1000 - 1e-6)) / 1000
        if advice.prior_odds > 1:  # of beliefs: it hides them among more
            said.append(Sentence(_KEPT_BY, share=100 * share, **told))
        else:
            said.append(Sentence(_KEEPS, share=100 * share, least=Limit(share).least, **told))
    return joined(said)


def remark(advice: Advice, one: Found) -> str:
    """Machine word of why a mask that holds is not the one to take; empty for the others.

    ``nearest``: it is the one to take as far as can be told.
    """
    if one is advice.best:
        return ""
    if one is advice.would_be:
        return "nearest"
    if one.state != HELD or one.standing is None:
        return ""
    if one.standing.exposed:
        return "exposed"
    if one.standing.linked and not can_be_taken(one, advice.limit):
        return "linked"
    return "withholds" if one.standing.withheld > MOST_WITHHELD else ""
