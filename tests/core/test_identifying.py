# SPDX-License-Identifier: GPL-2.0-or-later
"""Which attributes give a record away, and which do not."""

from __future__ import annotations

import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import cKDTree

from geoanon_qgis.core import identifying
from geoanon_qgis.core.identifying import CodedColumn, reason_of_name, screen
from geoanon_qgis.core.identifying.names import reason_of_name as of_name
from geoanon_qgis.core.identifying.reasons import (
    FOLLOWS_COORDINATE,
    FOLLOWS_PLACE,
    HOLDS_ACCOUNT,
    HOLDS_ADDRESS,
    HOLDS_CONTACT,
    HOLDS_COORDINATE,
    HOLDS_PERSON,
    LIES_TOGETHER,
    MANY_UNIQUE,
    NAMED_ADDRESS,
    NAMED_BIRTH,
    NAMED_CONTACT,
    NAMED_COORDINATE,
    NAMED_ID,
    NAMED_PERSON,
    NAMED_PLACE,
    NAMES_AREAS,
)

NUMBER = 60
XY = np.random.default_rng(4).uniform(0, 1000, (NUMBER, 2))


def town(count=1_500, seed=2):
    """Places in clusters and between them, as people live."""
    rng = np.random.default_rng(seed)
    centres = rng.uniform(0, 20_000, (12, 2))
    crowded = centres[rng.integers(0, 12, count)] + rng.normal(0, 700, (count, 2))
    return np.where(rng.random((count, 1)) < 0.7, crowded, rng.uniform(0, 20_000, (count, 2)))


TOWN = town()
RNG = np.random.default_rng(3)


def found(name, values, xy=XY, **more):
    """What is found out about one column."""
    return screen([CodedColumn.of(name, values)], xy, **more)[0]


def reason(name, values, xy=XY, **more):
    return found(name, values, xy, **more).reason


# --- names ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    """id ID fid FID gid ogc_fid OGC_FID objectid OBJECTID OBJECTID_1 objectId patient_id patient
    Patient case_no caseNumber key patientID PatientId PATIENTID PID uuid guid record_id osm_id
    nhs_number ssn bag_id row_id person_id OrganisationID host_id insurance_number
    Versicherungsnummer versichertennr SVNR AHV-Nummer Kontonummer KFZ-Kennzeichen Aktenzeichen
    Patientennummer numero_secu numéro_de_sécurité_sociale immatriculation NIR_identifiant CPF
    matrícula codice_fiscale targa kenteken burgerservicenummer BSN PESEL numer_rejestracyjny
    personnummer fødselsnummer cpr_nr henkilötunnus rodné_číslo licence_plate passport_no IBAN
    tax_id patient_code numero_paciente paciente""".split(),
)
def test_names_of_ids(name):
    assert of_name(name) == NAMED_ID


@pytest.mark.parametrize(
    "name",
    """x X y Y lon lat LON Lat lng latitude longitude Longitude LATITUDE1 x_coord x_coord2 xcoord
    XCoord y_28992 POINT_X easting Northing eastings coordinates geom geometry wkt WKT geohash
    utm_x gps_lat latlon lonlat lamx lamby long x1 what3words mgrs grid_ref Rechtswert Hochwert
    Breitengrad coordonnées longitud latitudine koordinater współrzędne долгота""".split(),
)
def test_names_of_coordinates(name):
    assert of_name(name) == NAMED_COORDINATE


@pytest.mark.parametrize(
    "name",
    """name Name NAME surname first_name lastName full_name patient_name owner Owner_Name ParentName
    OrganisationName host_name hospitalName name_of_owner username Nachname VORNAME Familienname
    nom prénom nom_du_patient NomPatient apellidos nombre_completo cognome proprietario sobrenome
    achternaam voornaam eigenaar nazwisko imię efternavn etternavn förnamn sukunimi příjmení
    Eigentümer propriétaire фамилия 姓名""".split(),
)
def test_names_of_people(name):
    assert of_name(name) == NAMED_PERSON


@pytest.mark.parametrize(
    "name",
    """address Address1 addr:street addr_housenumber street postcode post_code POSTCODE zip ZIPCODE
    zip_code postal_code house_number house_no homeAddress Straße Strassenname Hausnummer PLZ
    Postleitzahl Wohnadresse Patientenadresse adresse rue code_postal dirección calle
    codigo_postal indirizzo numero_civico endereço morada straatnaam huisnummer ulica
    kod_pocztowy postnummer husnummer gatuadress osoite улица 地址""".split(),
)
def test_names_of_addresses(name):
    assert of_name(name) == NAMED_ADDRESS


@pytest.mark.parametrize(
    "name",
    """city City birth_city county CountyName county_fips municipality district borough parish
    neighbourhood neighbourhood_group lsoa_code census_tract Ort Wohnort Geburtsort Gemeinde
    Gemeindename Landkreis Stadtteil Bezirk ville commune code_insee ciudad municipio provincia
    barrio cidade freguesia concelho comune città gemeente woonplaats wijk buurt miasto
    miejscowość gmina powiat kommune kommun poststed fylke kaupunki place_of_birth lieu_de_naissance
    NUTS3 город 城市""".split(),
)
def test_names_of_places(name):
    assert of_name(name) == NAMED_PLACE


@pytest.mark.parametrize(
    "name",
    """phone telephone phoneNumber email e_mail E-Mail fax Fax website url homepage web mobile
    Telefonnummer Handy Webseite courriel téléphone numéro_de_téléphone correo_electrónico
    teléfono sito_web telefoon nr_telefonu e-post hjemmeside puhelin ip_address IMEI
    телефон 电话""".split(),
)
def test_names_of_contacts(name):
    assert of_name(name) == NAMED_CONTACT


@pytest.mark.parametrize(
    "name",
    """dob DOB date_of_birth birthdate birthDate Geburtsdatum geb_datum GebDat date_naissance
    date_de_naissance fecha_de_nacimiento data_di_nascita data_nascimento geboortedatum
    data_urodzenia fødselsdato födelsedatum syntymäaika""".split(),
)
def test_names_of_birth_dates(name):
    assert of_name(name) == NAMED_BIRTH


@pytest.mark.parametrize(
    "name, why",
    [
        ("geburtsdat", NAMED_BIRTH),
        ("municipali", NAMED_PLACE),
        ("home_addre", NAMED_ADDRESS),
        ("neighbourh", NAMED_PLACE),
        ("telefonnum", NAMED_CONTACT),
        ("versicheru", NAMED_ID),
        ("postleitza", NAMED_ADDRESS),
        ("date_of_bi", NAMED_BIRTH),
        ("HausNummer", NAMED_ADDRESS),
    ],
)
def test_names_that_a_shapefile_has_cut(name, why):
    assert len(name) == 10 and of_name(name) == why


@pytest.mark.parametrize(
    "name",
    """count age sex gender deaths valid video width idea kidney void band lattice
    latent longevity along explosion xylem status date year income unemployed consumption
    diagnosis category covid paid fluid pidgin zipper renamed unnamed exam yield
    lazy mailed graded ethnicity smoker weight height bmi cases population
    patient_age patientSex nhs_region long_covid long_term_illness x_ray disease_name species_name
    key_worker mobile_home person_count case_mix number_of_rooms number_of_patients
    case_count bed_number cell_count birth_year birth_weight Geburtsjahr owner_occupied
    OrganisationType SubType Sector IsPimsManaged room_type property_type cause_of_death drug_name
    admission_date month severity vaccinated household_size employment education marital_status
    Geschlecht Alter Diagnose Familienstand Einkommen sexe âge nombre_enfants situation_familiale
    sexo edad diagnóstico estado_civil ingresos sesso età diagnosi stato_civile leeftijd geslacht
    inkomen wiek płeć rozpoznanie alder kjønn diagnos hemoglobin blood_pressure systolic lipid
    ward region state pump cause mark kind class hospital_stay care_coordination mothers_age
    water_source admissions occupation temperature insurance""".split(),
)
def test_everyday_names_say_nothing(name):
    assert of_name(name) is None


def test_a_french_count_and_a_spanish_name():
    assert of_name("nombre", is_text=False) is None
    assert of_name("nombre", is_text=True) == NAMED_PERSON


# --- values that no other record has ------------------------------------------------------------


@pytest.mark.parametrize(
    "values",
    [
        [f"A{i}" for i in range(NUMBER)],
        RNG.permutation(NUMBER).tolist(),
        [*RNG.permutation(NUMBER - 1).tolist(), 0],
        RNG.normal(size=NUMBER).tolist(),
        [datetime.date(2020, 1, 1) + datetime.timedelta(int(i)) for i in RNG.permutation(NUMBER)],
        [datetime.datetime(2020, 1, 1, 12, int(i)) for i in RNG.permutation(NUMBER)],
        [datetime.time(12, int(i)) for i in RNG.permutation(NUMBER)],
        [f"A{i}" if i % 3 else None for i in range(NUMBER)],
        [f"A{i}" if i < 7 else "B" for i in range(NUMBER)],
    ],
    ids=[
        "text",
        "integers",
        "one twice",
        "floats",
        "dates",
        "moments",
        "times",
        "missing",
        "a tenth and one",
    ],
)
def test_many_records_with_a_value_of_their_own(values):
    assert reason("v", values) == MANY_UNIQUE


def test_a_tenth_is_not_yet_many():
    values = [f"A{i}" if i < NUMBER // 10 else "B" for i in range(NUMBER)]
    result = found("v", values)
    assert result.reason is None
    assert (result.present, result.different, result.unique) == (NUMBER, 7, 6)


def test_the_share_is_of_those_who_have_a_value():
    """Nine of ten have no fax number; those who have one have their own."""
    values = [None] * 900 + [f"call {i}" for i in range(60)] + ["call 1"] * 40
    result = found("v", values, TOWN[:1_000])
    assert result.reason == MANY_UNIQUE and (result.present, result.unique) == (100, 59)


def test_uniqueness_is_counted_over_all_records():
    """In a sample of these, nine in ten would have a value of their own."""
    values = (np.arange(200_000) // 2).astype(str).tolist()
    result = found("v", RNG.permutation(values).tolist(), RNG.uniform(0, 1, (200_000, 2)))
    assert result.unique == 0 and result.reason is None


def test_case_and_space_make_no_other_value():
    values = ["Main  House", "main house", " MAIN HOUSE ", "x"] * (NUMBER // 4)
    result = found("v", values)
    assert (result.different, result.unique) == (2, 0)
    assert found("v", ["", " ", None, "a"] * 15).present == 15


def test_numbers_that_are_released_changed_may_all_differ():
    values = RNG.normal(size=NUMBER).tolist()
    assert reason("v", values, numbers_change=True) is None
    assert reason("v", [f"{one}%" for one in values], numbers_change=True) == MANY_UNIQUE


@pytest.mark.parametrize(
    "values",
    [
        [1.0] * NUMBER,
        [None] * NUMBER,
        [True, False] * 30,
        [float("nan")] * NUMBER,
        [float("inf"), 1.0] * 30,
        ["1", "two"] * 30,
        [[1, 2]] * NUMBER,
        [2**63, 1] * 30,
        [2**70, -(2**70), 3] * 20,
        [1, 2.5, True] * 20,
        [1, "a", None] * 20,
        [b"a", b"b"] * 30,
    ],
    ids=[
        "constant",
        "missing",
        "bool",
        "nan",
        "inf",
        "mixed",
        "lists",
        "unsigned",
        "huge",
        "kinds",
        "text and numbers",
        "bytes",
    ],
)
def test_odd_columns_are_no_trouble(values):
    assert reason("size", values) is None


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_few_records_are_no_trouble(count):
    result = found("v", list("abc")[:count], XY[:count])
    assert result.unique == count and result.reason == (MANY_UNIQUE if count else None)


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from("ab")), max_size=30))
def test_records_alone_with_their_values_together(rows):
    columns = [
        CodedColumn.of("one", [a or None for a, _ in rows]),
        CodedColumn.of("two", [b for _, b in rows]),
    ]
    assert identifying.alone(columns, len(rows)) == sum(rows.count(row) == 1 for row in rows)


def test_alone_with_more_combinations_than_numbers():
    rng = np.random.default_rng(1)
    columns = [CodedColumn.of(f"v{i}", rng.integers(0, 1_000, 500).tolist()) for i in range(12)]
    twice = [CodedColumn(one.name, np.tile(one.codes, 2), one.values) for one in columns]
    assert identifying.alone(columns, 500) == 500 and identifying.alone(twice, 1_000) == 0


# --- what values are written like ---------------------------------------------------------------


@pytest.mark.parametrize(
    "why, values",
    [
        (HOLDS_CONTACT, "a.b@example.org c@d.de"),
        (HOLDS_CONTACT, "https://a.example/x www.b.de/y"),
        (HOLDS_CONTACT, "example.com a-b.co.uk"),
        (HOLDS_CONTACT, "192.168.1.17 10.0.0.1"),
        (HOLDS_CONTACT, "+49-30-1234567 (030)123-4567 01902-444000 020/7946-0958 919-555-0134"),
        (HOLDS_COORDINATE, "51.5134,-0.1366 (52.51;13.37) 48.85/2.35"),
        (HOLDS_COORDINATE, "POINT(1.5,2) SRID=4326;POINT(3,4)"),
        (HOLDS_COORDINATE, '{"type":"Point","coordinates":[1,2]} {"coordinates":[3,4]}'),
        (HOLDS_COORDINATE, "51°30'26\"N 13°22'40\"E"),
        (HOLDS_COORDINATE, "149712,470104 149639/469906"),
        (HOLDS_ADDRESS, "SW1A1AA M11AE"),
        (HOLDS_ADDRESS, "1012AB 3511LX"),
        (HOLDS_ADDRESS, "12_High_Street 7b_Park_Lane"),
        (HOLDS_ADDRESS, "Hauptstraße_5 Lindenweg_12"),
        (HOLDS_ADDRESS, "14_rue_de_la_Paix 3_avenue_Foch"),
        (HOLDS_ADDRESS, "Calle_Mayor_3 via_Roma_1"),
        (HOLDS_ADDRESS, "Kalverstraat_92 Herengracht_1"),
        (HOLDS_ADDRESS, "ul._Polna_4 Strandgade_27"),
        (HOLDS_PERSON, "Mr_Smith Dr._Jones Frau_Meier"),
        (HOLDS_ACCOUNT, "DE89370400440532013000 NL91ABNA0417164300"),
        (
            HOLDS_ACCOUNT,
            "123e4567-e89b-12d3-a456-426614174000 123e4567-e89b-12d3-a456-426614174001",
        ),
    ],
)
def test_values_that_are_written_like(why, values):
    values = (
        values.replace("_", " ").split(" ")
        if "_" not in values
        else [one.replace("_", " ") for one in values.split(" ")]
    )
    many = [values[i % len(values)] for i in range(NUMBER)]  # none is unique
    assert reason("v", many) == why


def test_one_address_among_many_remarks_is_enough():
    values = ["fine", "unwell", "recovered"] * 60
    values[17] = "unwell, ask jane@example.org"
    assert reason("v", values, TOWN[:180]) == HOLDS_CONTACT


@pytest.mark.parametrize(
    "values",
    [
        "2020-01-05 2021-12-31",
        "2010-2015 1990-1999",
        "0-9 10-19 85-100",
        "120/80 140/90",
        "I10 C34.1",
        "N02BE01 A10BA02",
        "1.5 2.5 10.25",
        "08:30 12:45",
        "05.01.2020 31/12/2021",
        "00 01 02",
        "A B AB 0",
        "m f",
        "1.234,50 99,90",
        "v1.2 v1.3",
        "S1 S2",
        "E11.9 J45",
        "12345 12346",
        "01 02 03",
        "3+ 4+",
        "primary secondary",
        "yes no",
    ],
)
def test_everyday_values_say_nothing(values):
    values = values.split()
    assert reason("v", [values[i % len(values)] for i in RNG.permutation(NUMBER)]) is None


# --- what follows the place ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "disguise",
    [
        lambda xy: xy[:, 0],
        lambda xy: xy[:, 1],
        lambda xy: -xy[:, 0],
        lambda xy: xy[:, 0] * 0.3048 + 5e6,
        lambda xy: np.round(xy[:, 1], -1),
        lambda xy: xy @ [np.cos(0.1), np.sin(0.1)],
    ],
    ids=["x", "y", "mirrored", "feet", "rounded", "turned"],
)
@pytest.mark.parametrize(
    "written", [float, "{:.3f}".format, lambda value: f"{value:.2f}".replace(".", ",")]
)
def test_columns_that_follow_a_coordinate(disguise, written):
    values = [written(one) for one in disguise(XY).tolist()]
    assert reason("size", values) == FOLLOWS_COORDINATE
    values[5] = None
    assert reason("size", values) == FOLLOWS_COORDINATE


def pumps(xy, count=8, seed=0):
    return np.random.default_rng(seed).uniform(xy.min(axis=0), xy.max(axis=0), (count, 2))


def nearest_pump(xy, count=8, seed=0):
    return cKDTree(pumps(xy, count, seed)).query(xy)


def rounded(values, digits):
    """To so many digits that no record has a value of its own."""
    return np.round(values / values.max(), digits).tolist()


@pytest.mark.parametrize(
    "height",
    [
        lambda xy: nearest_pump(xy)[0],
        lambda xy: np.hypot(*(xy - xy.mean(axis=0)).T),
        lambda xy: np.sin(xy[:, 0] / 4e3) * np.cos(xy[:, 1] / 5e3) + 2,
        lambda xy: np.exp(-((xy - xy.mean(axis=0)) ** 2).sum(axis=1) / 5e7),
    ],
    ids=["nearest pump", "centre", "hills", "air"],
)
def test_numbers_that_follow_the_place_but_no_plane(height):
    rng = np.random.default_rng(5)
    values = height(TOWN)
    assert reason("v", values.tolist(), TOWN) == FOLLOWS_PLACE
    # as a class of twenty, or with the odd mistake, it is the same leak
    classes = np.floor(20 * values / values.max()).astype(int)
    assert reason("v", classes.tolist(), TOWN) in (FOLLOWS_PLACE, NAMES_AREAS, LIES_TOGETHER)
    wrong = np.where(rng.random(len(TOWN)) < 0.02, rng.permutation(values), values)
    assert reason("v", wrong.tolist(), TOWN) == FOLLOWS_PLACE


@pytest.mark.parametrize("count", [3, 8, 60, 300])
@pytest.mark.parametrize("named", ["pump {}".format, int])
def test_values_that_name_an_area(count, named):
    _, which = nearest_pump(TOWN, count)
    values = [named(one) for one in np.random.default_rng(1).permutation(count)[which]]
    result = found("v", values, TOWN)
    assert result.reason in (NAMES_AREAS, LIES_TOGETHER) and result.figure > 0.75


def test_values_of_overlapping_catchments():
    """Half of the people go to the nearest hospital, the others to one of the five nearest."""
    rng = np.random.default_rng(6)
    _, near = cKDTree(pumps(TOWN, 150)).query(TOWN, k=5)
    which = np.where(rng.random(len(TOWN)) < 0.5, 0, rng.integers(0, 5, len(TOWN)))
    values = [f"trust {one}" for one in near[np.arange(len(TOWN)), which]]
    assert reason("v", values, TOWN) == LIES_TOGETHER


def camps(xy, share):
    """The number of the camp where one lives, 0 for most."""
    distance, which = nearest_pump(xy, 6)
    return np.where(distance < np.quantile(distance, share), which + 1, 0)


def test_an_area_that_most_do_not_have():
    """Nine of ten live in no camp; the camps are told by their names."""
    values = [f"camp {one}" if one else "none" for one in camps(TOWN, 0.1).tolist()]
    assert reason("v", values, TOWN) == NAMES_AREAS


def test_an_area_of_the_few_though_neighbours_differ():
    """One of ten is in a camp, and of its neighbours most are not."""
    rng = np.random.default_rng(8)
    which = np.where(rng.random(len(TOWN)) < 0.1, nearest_pump(TOWN, 30)[1] + 1, 0)
    assert reason("v", [f"camp {one}" for one in which], TOWN) == LIES_TOGETHER


def test_a_field_that_most_records_lack():
    _, which = nearest_pump(TOWN, 20)
    values = [f"w{one}" if row % 9 == 0 else None for row, one in enumerate(which)]
    assert reason("v", values, TOWN) in (NAMES_AREAS, LIES_TOGETHER)


def test_households_are_not_taken_for_areas():
    """Everybody at one place shares a value, which says nothing about the place."""
    rng = np.random.default_rng(7)
    of = np.repeat(np.arange(400), 4)
    assert reason("v", rng.integers(0, 5, 400)[of].tolist(), TOWN[:400][of]) is None


def risk(xy, seed, strength):
    """Chances that are higher around some places."""
    centres = pumps(xy, 4, seed)
    near = np.exp(-((xy[:, None] - centres) ** 2).sum(axis=2) / 2 / 2_000.0**2).max(axis=1)
    return 1 / (1 + np.exp(2.0 - strength * near))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["sex", "age", "class", "disease", "cause", "income", "date"])
def test_what_people_are_is_not_withheld_though_it_clusters(kind, seed):
    """Odds of a disease seven times as high around four places, and the like."""
    rng = np.random.default_rng(100 + seed)
    share, count = risk(TOWN, seed, 2.0), len(TOWN)
    draw = rng.random(count)
    values = {
        "sex": lambda: ["f" if one < 0.5 else "m" for one in draw],
        "age": lambda: rng.integers(0, 80, count).tolist(),
        "class": lambda: np.floor(rng.normal(50, 15, count) / 10 - 2 * share).astype(int).tolist(),
        "disease": lambda: (draw < share).tolist(),
        "cause": lambda: [
            ["heart", "lung", "other"][i]
            for i in np.where(draw < share, 0, rng.integers(0, 3, count))
        ],
        "income": lambda: np.round(rng.lognormal(8 + 0.5 * share, 0.5), -2).tolist(),
        "date": lambda: [
            datetime.date(2020, 1, 1) + datetime.timedelta(int(one))
            for one in rng.integers(0, 200, count) + 100 * share
        ],
    }[kind]()
    assert reason("v", values, TOWN) is None


# --- what must not matter -----------------------------------------------------------------------

KINDS = {
    "coordinate": lambda xy, rng: xy[:, 0].tolist(),
    "distance": lambda xy, rng: nearest_pump(xy)[0].tolist(),
    "area": lambda xy, rng: [f"p{one}" for one in nearest_pump(xy)[1]],
    "id": lambda xy, rng: rng.permutation(len(xy)).tolist(),
    "sex": lambda xy, rng: rng.choice(["m", "f"], len(xy)).tolist(),
    "age": lambda xy, rng: rng.integers(0, 9, len(xy)).tolist(),
}


@given(st.sampled_from(sorted(KINDS)), st.integers(0, 2**32 - 1))
def test_the_order_of_the_records_does_not_matter(kind, seed):
    rng = np.random.default_rng(seed)
    xy = town(300, seed)
    values = KINDS[kind](xy, rng)
    order = rng.permutation(len(xy))
    one = found("v", values, xy)
    other = found("v", [values[row] for row in order], xy[order])
    assert (one.reason, one.present, one.different, one.unique) == (
        other.reason,
        other.present,
        other.different,
        other.unique,
    )
    assert one.figure == pytest.approx(other.figure, abs=0.05)


@given(
    st.sampled_from(sorted(KINDS)),
    st.integers(0, 2**32 - 1),
    st.floats(1e-4, 1e4),
    st.floats(-1e6, 1e6),
    st.floats(0, 6.3),
)
def test_where_and_how_large_the_map_is_does_not_matter(kind, seed, scale, shift, turn):
    rng = np.random.default_rng(seed)
    xy = town(300, seed)
    values = KINDS[kind](xy, rng)
    turned = xy @ [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]
    assert reason("v", values, xy) == reason("v", values, (turned + shift) * scale)


@given(
    st.lists(
        st.one_of(
            st.none(),
            st.integers(0, 5),
            st.text("ab ", max_size=3),
            st.booleans(),
            st.floats(allow_nan=True),
        ),
        max_size=40,
    )
)
def test_counts_are_those_of_the_values(values):
    result = found("v", values, np.zeros((len(values), 2)))
    assert 0 <= result.unique <= result.different <= result.present <= len(values)


def test_progress_is_told_and_a_cancel_is_heard():
    told = []
    columns = [CodedColumn.of(name, nearest_pump(TOWN)[1].tolist()) for name in "abcd"]
    screen(columns, TOWN, progress=told.append)
    assert told == sorted(told) and told[0] == 0 and told[-1] == 1

    def cancel(fraction):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        screen(columns, TOWN, progress=cancel)


def test_the_name_comes_first():
    assert found("city", ["a", "b"] * 30).reason == NAMED_PLACE
    assert reason_of_name("city") == NAMED_PLACE


# --- many records -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "named, why",
    [
        (lambda xy: nearest_pump(xy, 8)[1], (NAMES_AREAS,)),
        (lambda xy: nearest_pump(xy, 3_000)[1], (NAMES_AREAS, LIES_TOGETHER)),
        (lambda xy: nearest_pump(xy, 8)[0], (FOLLOWS_PLACE,)),
        (lambda xy: np.where(np.arange(len(xy)) % 40, -1, nearest_pump(xy, 8)[1]), (NAMES_AREAS,)),
        (lambda xy: camps(xy, 0.01), (NAMES_AREAS, LIES_TOGETHER)),
        (lambda xy: np.arange(len(xy)) % 97, (None,)),
        (lambda xy: np.arange(len(xy)) // 40, (None,)),
    ],
    ids=["few areas", "many areas", "distances", "missing", "camps", "ages", "streets"],
)
def test_of_many_records_the_same_is_found(named, why):
    """More than are looked at one by one; three live at each place."""
    xy = np.repeat(town(40_000), 3, axis=0)
    codes = named(xy).tolist()
    values = [None if one == -1 else one for one in codes]
    result = found(
        "v", np.random.default_rng(2).permutation(values) if why == (None,) else values, xy
    )
    assert result.reason in why
