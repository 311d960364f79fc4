# SPDX-License-Identifier: GPL-2.0-or-later
"""Why an attribute looks as if it gave a record, or its place, away."""

(
    NAMED_ID,
    NAMED_COORDINATE,
    NAMED_PERSON,
    NAMED_ADDRESS,
    NAMED_PLACE,
    NAMED_CONTACT,
    NAMED_BIRTH,
) = (
    "named_id",
    "named_coordinate",
    "named_person",
    "named_address",
    "named_place",
    "named_contact",
    "named_birth",
)
#: What its values are written like.
HOLDS_CONTACT, HOLDS_COORDINATE, HOLDS_ADDRESS, HOLDS_PERSON, HOLDS_ACCOUNT = (
    "holds_contact",
    "holds_coordinate",
    "holds_address",
    "holds_person",
    "holds_account",
)
#: More than a tenth of the records have a value that no other has.
MANY_UNIQUE = "many_unique"
#: A plane through the coordinates gives its numbers; their neighbours do; its values name areas.
FOLLOWS_COORDINATE, FOLLOWS_PLACE, NAMES_AREAS, LIES_TOGETHER = (
    "follows_coordinate",
    "follows_place",
    "names_areas",
    "lies_together",
)
