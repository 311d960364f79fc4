# SPDX-License-Identifier: GPL-2.0-or-later
"""Adversaries and their attacks in words: what they have, what they want, what may be missed."""

from __future__ import annotations

from .i18n import mark

#: What each attack is called.
ATTACKS = {
    "voronoi_reversal": mark("Reversal of the Voronoi mask"),
    "posterior_place": mark("Posterior of the places (who lives there?)"),
    "posterior_record": mark("Posterior of the records (which record is hers?)"),
    "clique_linkage": mark("Linkage by distances (clique)"),
    "likelihood_linkage": mark("Linkage by distances (likelihood)"),
    "near_group_linkage": mark("Linkage by distances (near group)"),
    "signature_linkage": mark("Linkage by distances (signatures)"),
    "local_maps_linkage": mark("Linkage by distances (maps of neighbourhoods)"),
    "all_linkage": mark("Linkage by distances (all attacks together)"),
    "neighbours_linkage": mark(
        "Linkage by distances (near group and signatures, by who knows everybody of a neighbourhood)"
    ),
    "labels_alone": mark("Linkage by attributes alone, without distances"),
    "quasi_identifiers": mark("Look-up by quasi-identifiers"),
    "sensitive_values": mark("What a class has in common (l-diversity, t-closeness)"),
    "differencing": mark("Subtraction of an earlier release"),
    "suppressed_counts": mark("Subtraction of published counts from their sums"),
    "nearest_records": mark("Search for nearest records"),
    "verbatim_records": mark("Search for records that were copied"),
    "partial_records": mark("Search for records that were copied in part"),
    "singling_out": mark("Singling out"),
    "linkability": mark("Linkability (joining two files through the release)"),
    "inference": mark("Inference of a secret from the nearest record"),
    "membership": mark("Membership (is she in the file?)"),
}
#: What the adversary has; each ends the sentence "An adversary who …".
KNOWS = {
    "address_list": mark("has a list of all possible places (an address file, all buildings)"),
    "member": mark("has that list, knows that a person is in the data, and knows where she lives"),
    "address_list_or_member": mark(
        "has a list of all possible places, or knows besides that a person is in the data and "
        "where she lives"
    ),
    "file_with_places": mark("has another file with the places of some of the people"),
    "file_with_places_and_links": mark(
        "has another file with the places of some of the people, and knows the records of a few"
    ),
    "file_with_places_and_releases": mark(
        "has another file with the places of some of the people, and several releases of their "
        "distances"
    ),
    "file_with_places_links_and_releases": mark(
        "has another file with the places of some of the people, knows the records of a few, and "
        "has several releases of their distances"
    ),
    "quasi_identifiers": mark("knows what the quasi-identifiers of a person are"),
    "original_values": mark("knows some of the original values of a person"),
    "whole_record": mark("knows everything that the original says of a person (the worst case)"),
    "part_or_whole_record": mark(
        "knows something that the original says of a person, or everything (the worst case)"
    ),
    "published_counts": mark(
        "has all that is published (counts, sums, numbers of people), and knows how it was chosen what "
        "is left out"
    ),
    "group": mark("knows which group of people a person is counted in"),
}
#: What he is after.
WANTS = {
    "whose_place": mark("wants to know where a person lives"),
    "which_record": mark("wants to know which record belongs to a person"),
    "place_or_record": mark("wants to know where a person lives, or which record belongs to her"),
    "small_count": mark("wants to know of how few people a number is, and so who they are"),
    "attribute": mark("wants to learn something about a person"),
    "record_or_attribute": mark(
        "wants to know which record belongs to a person, whether she is in the file, or what else "
        "is true of her"
    ),
}
#: Why an attack may find more than it did.
CAVEATS = {
    "cut_off": mark("The search was cut off, so that more may be found."),
    "people_apart": mark(
        "People with records in several places were looked for in one of them, so that more may be "
        "found."
    ),
    "coarse": mark(
        "The coordinates are too coarse for this attack to tell, so that another one may find more."
    ),
    "other_mask": mark(
        "This attack does not fit the release, which was masked in another way or is of other "
        "places: one that fits may find more."
    ),
    "contradicted": mark(
        "By the key guesses are right far more or less often than this attack believes: it does not fit how "
        "these points were masked, and one that fits may find more."
    ),
    "uneven": mark(
        "The points did not move each by itself in any direction, as this attack believes: who knows how "
        "the tool works may find nearly everybody."
    ),
    "nothing_compared": mark(
        "Nothing could be compared by distances, so that this says nothing of the release."
    ),
    "held_back": mark(
        "A high least confidence held the attack back, so that it names fewer people than it could."
    ),
    "one_method": mark(
        "The near group and signatures (of ISGP: maps) were not both run, and one attack by "
        "distances finds people whom another does not."
    ),
    "no_key": mark(
        "How many people are in both files is not known without the key, so that the share may be "
        "any higher one."
    ),
    "nobody_common": mark("By the key nobody is in both files, so that nobody could be found."),
    "list_incomplete": mark(
        "The list of places lacks some, so that a more complete one finds more."
    ),
    "crowded": mark(
        "Places with several records tell of addresses where many live; that was not weighed, and "
        "who weighs it finds more."
    ),
    "unproven": mark(
        "Nothing shows that the mask file is that of these points: one that is may find more. "
        "Attack the file as it was written, or give the key."
    ),
    "one_adversary": mark(
        "Who knows that a person is in the data was not tried, and he finds more where the data "
        "are of a small part of all people."
    ),
    "undecided": mark("There are too few records to decide by all of its measures."),
    "few_draws": mark("There are too few draws to say how many of his claims are right."),
    "by_chance": mark("More records are the same than among other people, but perhaps by chance."),
    "left_out": mark(
        "Released records that lack a value took no part: they may be true in all else "
        "(MISSING=dummy looks at them)."
    ),
    "places": mark(
        "The release has places that were not attacked: whoever knows where people live may find "
        "more (USE_GEOMETRY)."
    ),
    "moments": mark(
        "What so many fields tell as a whole (averages, correlations, how many have each value) of who is in "
        "the file was not tried: it takes people who are not in it (REFERENCE)."
    ),
    "several_records": mark(
        "Several records seem to be of one person, and hers were taken for other people's, which hides "
        "her: there may be more (PERSON_FIELD)."
    ),
    "contained": mark(
        "A field with cases may be a part of another: whoever subtracts the two finds small numbers "
        "then."
    ),
    "attributes": mark(
        "Attributes are released beside the quasi-identifiers by which people can be found: "
        "whoever knows them finds more."
    ),
}
_BELIEVED = mark(
    "He has reason to believe it: more of them are right than the quarter that is held acceptable "
    "(hiding among four), or accident does not make so many."
)
_BEYOND = mark("What was limited is not kept, of the records that the limit is on.")
#: What it means that the release fails an attack's own rule.
FAILED = {
    "posterior_place": _BEYOND,
    "posterior_record": _BEYOND,
    "clique_linkage": _BELIEVED,
    "likelihood_linkage": _BELIEVED,
    "near_group_linkage": _BELIEVED,
    "signature_linkage": _BELIEVED,
    "local_maps_linkage": _BELIEVED,
    "all_linkage": _BELIEVED,
    "quasi_identifiers": mark("Some share their values with fewer others than was asked for (k)."),
    "sensitive_values": mark(
        "Some classes have fewer different values than was asked for (L), or are farther from the "
        "whole table (T)."
    ),
    "differencing": mark(
        "Classes of fewer than were asked for (k) can be computed from the releases."
    ),
    "suppressed_counts": mark(
        "Small numbers can be worked out, or told to be small (below k), from what is published."
    ),
    "nearest_records": mark(
        "By its measures the release tells more about these people than records of other people "
        "would."
    ),
    "verbatim_records": mark("That is more than records of other people explain."),
}
#: What an attack shows that finds not whole records, but values that stand together.
SHOWN_IN_PART = {
    "partial_records": mark(
        "True values of {people} stand together in a released record, whatever else of it was changed."
    ),
}
