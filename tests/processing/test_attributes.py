# SPDX-License-Identifier: GPL-2.0-or-later
"""Which attributes a release carries, and what is said of them."""

import pytest

from geoanon_qgis.processing.attributes import choose
from geoanon_qgis.processing.reading import read_points
from tests.processing.helpers import as_source, layer, points

pytestmark = pytest.mark.usefixtures("provider")
COUNT = 60


def table(fields, rows, seed=1):
    """A table of points with these attributes."""
    made = as_source(layer(points(COUNT, seed=seed), fields=fields, rows=rows))
    return read_points(made, None, fields=[one.name() for one in made.fields()])


# --- the field whose values go into the key ----------------------------------------------------


@pytest.mark.parametrize("asked_for", [[], ["person", "age"], ["person"]])
def test_the_id_that_goes_into_the_key_is_never_released(asked_for):
    people = table("person:int,age:int", [(i % 9, 30 + i % 7) for i in range(COUNT)])
    choice = choose(people, asked_for, id_field="person")
    assert choice.kept == (("age",) if "age" in asked_for or not asked_for else ())
    assert dict(choice.dropped)["person"] == "it is the id that goes into the key"
