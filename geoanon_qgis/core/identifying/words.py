# SPDX-License-Identifier: GPL-2.0-or-later
"""Words in names of fields, in the languages of Europe and a few others.

Names are compared without accents, case and small words (of, de, del), with the words that follow
each other joined: "Date de naissance" is read as date, naissance and datenaissance.
"""

from __future__ import annotations

from .reasons import (
    NAMED_ADDRESS,
    NAMED_BIRTH,
    NAMED_CONTACT,
    NAMED_COORDINATE,
    NAMED_ID,
    NAMED_PERSON,
    NAMED_PLACE,
)

#: They say it wherever they stand: "patient_surname", "street_of_birth".
ANYWHERE = {
    NAMED_COORDINATE: """
        lon lat lng latitude longitude latlon latlong lonlat latlng lnglat easting northing
        eastings northings coord coords coordinate coordinates xcoord ycoord xcoor ycoor coordx
        coordy lamx lamy lambx lamby geom geometry geometrie geometria wkt wkb ewkt geojson geohash
        pluscode openlocationcode whatwords mgrs gridref gridreference osgridref quadkey
        breitengrad laengengrad langengrad rechtswert hochwert ostwert nordwert koord koordinate
        koordinaten xkoord ykoord coordonnee coordonnees latitud longitud coordenada coordenadas
        latitudine longitudine coordinata coordinaat coordinaten breedtegraad lengtegraad
        wspolrzedne wspolrzedna szerokoscgeo dlugoscgeo breddgrad langdgrad breddegrad lengdegrad
        laengdegrad koordinat koordinater leveysaste pituusaste
        координаты широта долгота 经度 纬度 坐标""",
    NAMED_BIRTH: """
        dob birthdate birthday birthdt dateofbirth datebirth birthdtm datenaissance naissancedate
        datenais ddn dtnaissance geburtsdatum geburtstag gebdat gebdatum gebtag fechanacimiento
        fechanac fnacimiento nacimientofecha datanascimento datanasc dtnascimento dtnasc
        datanascita nascitadata datadinascita geboortedatum geboortedag dataurodzenia dataur
        fodselsdato foedselsdato fodelsedatum fodelsedag fodselsdag syntymaaika syntymapaiva
        datumnarozeni szuletesidatum dogumtarihi датарождения 出生日期 生日""",
    NAMED_CONTACT: """
        phone phones phoneno phonenumber telephone telephoneno telephonenumber telno telnr tel
        telefon telefonnummer telefonnr telefone telefono telefoon telefoonnummer teleph telefax
        telefaks telefaxnummer telecopie telecopieur fax faxes faxno faxnumber faxnummer faxnr
        mobilephone mobileno mobilenumber mobilnummer mobiltelefon mobilfunk cellphone cellular
        celular cellulare handynummer handynr gsmnummer landline puhelin puhelinnumero matkapuhelin
        nrtelefonu numertelefonu komorka numerotelephone numtel email emails emailid emailaddress
        mailaddress mailadresse emailadresse courriel adressemail correoelectronico eposta epost
        epostadresse epostadress sahkoposti website websites webseite webpage webadresse webaddress
        siteweb siteinternet sitioweb paginaweb sitoweb strona stronawww url urls uri www weburl
        homepage hjemmeside hjemmesiden hemsida nettside webside hemsidan kotisivu facebook twitter
        instagram linkedin whatsapp telegramm skype ipaddress ipaddr ipadresse adresseip imei imsi
        msisdn macaddress телефон почта 电话 手机 邮箱""",
    NAMED_PERSON: """
        surname surnames firstname lastname middlename givenname givennames forename forenames
        familyname maidenname fullname nickname username loginname screenname prenom prenoms
        nomfamille nomnaissance nomprenom patronyme vorname vornamen nachname nachnamen zuname
        familienname geburtsname rufname benutzername apellido apellidos nombrecompleto
        nombreapellido nombreapellidos cognome nomecognome nomecompleto sobrenome apelido nomemae
        voornaam voornamen achternaam achternamen familienaam roepnaam nazwisko nazwiskoimie imie
        imiona imienazwisko fornavn fornavne efternavn etternavn mellomnavn fornamn efternamn
        tilltalsnamn etunimi sukunimi jmeno prijmeni vezeteknev keresztnev soyad soyadi adsoyad
        nume prenume ownername nameowner initials initialen имя фамилия отчество фио 姓名 名字""",
    NAMED_ADDRESS: """
        address addresses addr addressline street streets streetname streetno streetnumber
        streetaddress housenumber houseno housenr housenum housename buildingnumber buildingname
        apartmentnumber aptno aptnumber flatno flatnumber unitnumber postcode postcodes postalcode
        postal zip zipcode zipcodes pincode eircode postbox pobox adresse adressen adresszeile
        anschrift wohnadresse strasse strassen strassenname str strname hausnummer hausnr hausnum
        hnr plz postleitzahl postfach adr rue nomrue numerorue numerovoie numvoie nomvoie typevoie
        libellevoie codepostal codpostal codepost lieudit boitepostale direccion domicilio
        domiciliado calle nombrecalle numeroportal codigopostal codpost indirizzo numerocivico
        civico codicepostale codiceavviamentopostale endereco logradouro numeroendereco morada
        adres adresregel straat straatnaam huisnummer huisnr huisletter toevoeging
        huisnummertoevoeging ulica nrdomu numerdomu nrmieszkania kodpocztowy adresa postnummer
        postnr vejnavn vejnr husnummer husnr gateadresse gatenavn gatenummer gatuadress gata
        gatunamn katuosoite osoite postinumero ulice psc cislopopisne utca iranyitoszam adrese
        адрес улица индекс 地址 邮编 邮政编码""",
    NAMED_PLACE: """
        city cities cityname citycode town townname village hamlet municipality municipalities
        municipalitycode municode county countyname countycode countyfips fips fipscode geoid
        geoidfips district districtname borough parish township suburb locality precinct
        neighbourhood neighborhood neighbourhoods neighborhoods neighbourhoodgroup lsoa msoa
        lsoacode lsoaname censustract censusblock blockgroup tract tractce stadt stadtname
        stadtteil stadtbezirk ortsteil ortschaft ortsname wohnort wohnorte geburtsort gemeinde
        gemeindename gemeindenr gemeindenummer gemeindekennziffer landkreis kreis kreisname
        kreisschluessel bezirk bezirke regierungsbezirk kanton ville nomville villenaissance
        commune communes nomcommune codecommune codeinsee insee communeinsee lieunaissance codgeo
        depcom arrondissement departement canton quartier ciudad ciudades municipio municipios
        localidad province provinces provincia provincias barrio distrito lugarnacimiento
        codigomunicipio poblacion comarca pedania cidade cidades freguesia concelho bairro
        localidade naturalidade ibge codmunicipio codmun citta comune comuni codicecomune istat
        localita frazione luogonascita provinciaresidenza quartiere gemeente gemeentenaam
        gemeentecode woonplaats plaats plaatsnaam provincie wijk wijkcode buurt buurtcode stadsdeel
        geboorteplaats miasto miejscowosc gmina powiat wojewodztwo dzielnica miejsceurodzenia teryt
        kommune kommuner kommunenr kommunenummer kommunenavn kommun kommunkod kommunnamn fylke
        fylkesnr poststed postort postby sogn sognekode bydel bygd fodested fodelseort bopael bopel
        bosted bostadsort kunta kuntanumero kaupunki kotikunta asuinpaikka mesto obec okres kraj
        telepules varos megye ilce mahalle judet localitate birthplace placeofbirth placebirth
        birthtown placeresidence residenceplace hometown placename toponym lieu localisation
        область город район 城市 县 区 省""",
    NAMED_ID: """
        id ids fid gid oid uid pid uuid guid objectid featureid rowid pk identifier identifiers ssn
        mrn patientid personid recordid clientid customerid subjectid participantid respondentid
        householdid memberid userid employeeid studentid organisationid organizationid hospitalid
        siteid hostid listingid addressid buildingid propertyid parcelid caseid visitid encounterid
        admissionid episodeid observationid osmid socialsecurity socialsecuritynumber
        nationalinsurance nationalinsurancenumber nationalid insurancenumber insuranceno
        insurancenr policynumber policyno healthcardnumber passport passportno passportnumber
        drivinglicence driverslicense driverlicense licencenumber licensenumber licenceplate
        licenseplate numberplate platenumber plateno registrationnumber chassisnumber taxid
        taxnumber taxcode vatnumber accountnumber accountno bankaccount creditcard cardnumber iban
        bic serialnumber serialno deviceid barcode nhsnumber nhsno patientno patientnumber
        patientnr patientkey personno personnumber caseno casenumber casenr recordno recordnumber
        recordnr parcelnumber cadastre cadastral kennung kennziffer kennnummer aktenzeichen
        fallnummer fallnr patientennummer patientennr personalnummer personalnr mitgliedsnummer
        kundennummer kundennr versicherungsnummer versicherungsnr versichertennummer versichertennr
        krankenkassennummer sozialversicherungsnummer svnummer svnr ahvnummer ahvnr steuernummer
        steuerid ausweisnummer reisepass kontonummer autokennzeichen kfzkennzeichen nummernschild
        flurstueck flurstuck identifiant identifiants numerosecu numsecu numsecuritesociale
        securitesociale numerosecuritesociale ipp numdossier numerodossier numdoss numacc
        numeroaccident numeropatient passeport immatriculation plaqueimmatriculation parcelle
        numeroserie siret siren identificador identificacion nif curp matricula
        numeroseguridadsocial seguridadsocial pasaporte numeroexpediente expediente historiaclinica
        numerohistoria numerohistoriaclinica cpf cnpj numeroprontuario prontuario cartaosus
        identificativo codicefiscale codfiscale codfisc targa tesserasanitaria partitaiva
        numerocartella burgerservicenummer bsn patientnummer dossiernummer polisnummer
        verzekeringsnummer kenteken klantnummer rekeningnummer identyfikator pesel nip regon
        nrpacjenta numerpacjenta nrrejestracyjny numerrejestracyjny nrpolisy personnummer personnr
        fodselsnummer foedselsnummer fnr cprnr cprnummer cprnumber regnr regnummer
        registreringsnummer nummerplade pasnummer kundenr pasientnr journalnummer journalnr
        henkilotunnus hetu rekisterinumero asiakasnumero rodnecislo tajszam tckimlik tcno cnp снилс
        инн паспорт 身份证 身份证号""",
}

#: They say it alone: "patient" is an id, "patient_age" is none.
ALONE = {
    NAMED_COORDINATE: """
        x y z long utm grid east north gps location position""",
    NAMED_BIRTH: "geboren urodzony fodt fodd",
    NAMED_CONTACT: """
        mobile mobil mobilnr handy gsm portable movil mail web link correo telef tlf tfno puh""",
    NAMED_PERSON: """
        name names nom noms nome naam namen nazwa navn namn nimi owner owners proprietor landlord
        landlady householder proprietaire bailleur eigentuemer eigentumer besitzer inhaber halter
        propietario titular proprietario eigenaar bezitter wlasciciel ejer eier agare innehavare
        omistaja patientname personname kontakt contacto contatto mieter locataire inquilino
        huurder najemca""",
    NAMED_ADDRESS: """
        cep cp viale vej vei gade katu utca domicile residence""",
    NAMED_PLACE: """
        ort orte by sted plats places prov com commun dep dpt amt mun muni cod_mun nuts lau obec
        lieu lugar luogo localite lad ward_name wardname cbsa""",
    NAMED_ID: """
        key patient person record nhs number no nr num numero nummer numer nro lfdnr codepatient
        clave folio dossier idx ref reference referenz serial imo mmsi paziente paciente pacjent
        potilas pasient""",
}

#: Alone, and only where the values are text: French "nombre" counts, Spanish "nombre" names.
ALONE_AS_TEXT = {
    NAMED_ID: "dni nie nir nino vin nis kennzeichen",
    NAMED_CONTACT: "ip",
    NAMED_ADDRESS: "cap via",
    NAMED_PLACE: "place ags",
    NAMED_PERSON: "nombre nombres ad nev prezime ime contact tenant",
}

#: Beginnings of words that have no spaces between their parts: "Patientenadresse".
INSIDE = {
    NAMED_BIRTH: "geburtsdat geburtstag geboortedat fodselsdat fodelsedat foedselsdat",
    NAMED_CONTACT: "telefon telefax telephon telefoon emailadr mailadr handynum",
    NAMED_PERSON: "vorname nachname familienname voornaam achternaam efternavn efternamn",
    NAMED_ADDRESS: """
        adress wohnanschrift postleitz hausnummer huisnummer postcode postalcode codepostal
        codigopostal kodpocztow strassenn straatnaam""",
    NAMED_PLACE: """
        wohnort woonplaats gemeindename stadtteil ortsteil landkreis municipalit municipio""",
    NAMED_ID: """
        versicherungsn versichertenn patientenn personnummer burgerservice socialsecurity
        kennzeichennr steuernummer kontonummer registrationn""",
    NAMED_COORDINATE: "koordinat",
}

#: Whose name or number it is: "owner_name", "NomPatient", "host no".
HOLDERS = frozenset(
    """
    patient patients patienten person persons people trust client customer owner parent host guest
    organisation organization org company employer employee staff doctor physician gp nurse
    practice practitioner provider hospital clinic school facility institution agency
    landlord tenant householder household head mother father spouse partner child guardian
    carer caregiver next kin contact user member student pupil teacher victim witness suspect
    driver applicant author reporter informant respondent participant subject family site
    building house street road place city town village station shop store business
    versicherter eigentuemer eigentumer besitzer halter mieter arzt klinik krankenhaus firma
    schule mutter vater kunde mitarbeiter strassen proprietaire medecin hopital ecole
    entreprise mere pere conjoint rue commune ville etablissement propietario paciente medico
    empresa escuela madre padre calle municipio proprietario paziente azienda scuola ospedale
    ditta eigenaar ziekenhuis bedrijf wlasciciel pacjent szpital firma eier ejer agare pasient
    sykehus sjukhus skole skola
""".split()
)
NAMES = frozenset("name names nom noms nombre nome naam nazwa navn namn nimi nm".split())
NUMBERS = frozenset(
    """
    no nr num number numero nummer numer key code kod codigo codice ref reference
""".split()
)
#: Holders whose number is an id; a "house no" is an address and a "city code" a place already.
NUMBERED = frozenset(
    """
    patient person client customer owner employee staff user member student case record
    policy passport organisation organization host hospital practice paciente paziente pacjent
    pasient kunde versicherter
""".split()
)

#: Small words inside of names.
SMALL = frozenset(
    """
    of the a an de del della delle dello dei di da do das dos du des der die das den dem le la les
    el los las van het d l und et y e i och og til no
""".split()
)

#: Beside x, y or z these make a coordinate: POINT_X, rd_y. An x_ray is none.
AXES = frozenset("xyz")
BESIDE_AXES = frozenset(
    "point utm rd gps centroid center centre geo pos map home epsg wgs etrs gauss gk lv lamb"
    " lambert osgb nad coord coor koord place".split()
)

#: Words of which a shapefile may have left the beginning at the end of a name: "home_addre".
CUT = frozenset(
    """
    address telephone telephonenumber postcode postalcode municipality neighbourhood neighborhood
    surname birthdate geburtsdatum hausnummer telefonnummer koordinaten coordinates latitude
    longitude adresse direccion nachname vorname apellido apellidos codigopostal localidad
    municipio gemeinde stadtteil strasse straat woonplaats commune
""".split()
)

#: Names with a digit in them.
WITH_DIGITS = {
    NAMED_COORDINATE: "w3w what3words h3 h3cell s2 s2cell",
    NAMED_PLACE: "nuts1 nuts2 nuts3 lau1 lau2 oa11 oa21 lsoa11 lsoa21 msoa11 msoa21",
    NAMED_ADDRESS: "pc4 pc5 pc6 zip3 zip5 zip9 zip4",
}
