"""credentials.py: every kind of credential, and the key taken out of whatever echoes it."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from urllib.parse import quote, quote_plus

import pytest

from animal_conformance.record.exchange import Credential
from animal_conformance.record.redaction import REDACTED, Redactor
from animal_conformance.send.keys import authorizations

# The number of the form that differs from the key in its last character.
LAST = 7
KEYS = ("s3cret-Key/With+Signs==", "abcdefghij", "1234567890", "KEY", "a", "----", "eyJhbGciOi.J9.x_y-z")


@pytest.mark.parametrize("key", KEYS)
def test_every_kind_has_headers_that_are_of_that_kind(key: str) -> None:
    """Only the valid one is valid, and no header is of two kinds."""
    headers = authorizations(key)
    assert set(Credential) - {Credential.UNKNOWN} == set(headers)
    assert ({0: f"Bearer {key}"}, {0: None}, key) == (
        headers[Credential.VALID],
        headers[Credential.ABSENT],
        headers[Credential.BARE_KEY][0],
    )
    for kind, forms in headers.items():
        assert len(forms) == len(set(forms.values())), kind
        if kind is not Credential.VALID:
            assert f"Bearer {key}" not in forms.values(), kind


@pytest.mark.parametrize("key", KEYS)
def test_wrong_keys_have_nothing_of_the_valid_one(key: str) -> None:
    """Otherwise their refusal would say something of another clause."""
    for header in authorizations(key)[Credential.WRONG].values():
        assert header is not None
        wrong = header.removeprefix("Bearer ")
        assert wrong.lower() not in key.lower()
        assert not wrong.startswith(key)


@pytest.mark.parametrize("key", ["s3cret-Key", "abcdefghij", "1234567890"])
def test_a_wrong_key_of_the_same_shape_is_among_them(key: str) -> None:
    """Every letter and digit differs, the signs stand where they stood."""
    shaped = [
        wrong
        for header in authorizations(key)[Credential.WRONG].values()
        if header and len(wrong := header.removeprefix("Bearer ")) == len(key)
    ]
    assert any(
        all(
            (a == b) == (not a.isalnum()) and a.isalpha() == b.isalpha()
            for a, b in zip(each, key, strict=True)
        )
        for each in shaped
    )


def test_a_key_with_signs_is_also_sent_as_what_it_matches_as_a_pattern() -> None:
    """The dot of a regular expression, the underscore of LIKE and the question mark of a shell each stand for any character."""
    assert "Bearer axbxcxd" in authorizations("a.b_c?d")[Credential.WRONG].values()
    assert all(
        "xx" not in str(each)[7:] for each in authorizations("abcdefgh")[Credential.WRONG].values() if each
    )


def test_a_key_with_signs_is_also_sent_without_them() -> None:
    """As the parsers of some identifiers read it; in what echoes that, it is taken out as well."""
    assert "Bearer abcdefgh" in authorizations("abcd-efgh")[Credential.WRONG].values()
    assert "Bearer abcd" not in authorizations("abcd==")[Credential.WRONG].values()
    assert b"abcdefgh" not in Redactor("abcd-efgh").bytes(b"no such key: abcdefgh")


@pytest.mark.parametrize(
    ("key", "exchanged"),
    [("aab-c", "aba-c"), ("aAbc", "abAc"), ("abcdefgh", "bacdefgh"), ("1111-1", "111-11")],
)
def test_the_key_is_also_sent_with_two_neighbours_exchanged(key: str, exchanged: str) -> None:
    """The first two that differ by more than case; in what echoes that, it is taken out as well."""
    assert f"Bearer {exchanged}" in authorizations(key)[Credential.WRONG].values()
    assert b"bacdefgh" not in Redactor("abcdefgh").bytes(b"no such key: bacdefgh")


def test_a_key_of_one_character_again_and_again_has_no_neighbours_to_exchange() -> None:
    """The form is left out, and no other has its number."""
    most = max(authorizations("abcdef")[Credential.WRONG])
    assert most not in authorizations("aaAA")[Credential.WRONG]


@pytest.mark.parametrize("key", KEYS)
def test_a_key_that_is_not_ascii_is_also_as_long_as_the_valid_one(key: str) -> None:
    """In characters, each of them one byte on the way; who takes them for UTF-8 sees another length."""
    [header] = [authorizations(key)[Credential.NOT_ASCII][1]]
    assert header is not None
    assert (len(f"Bearer {key}"), False) == (len(header.encode("latin-1")), header.isascii())
    assert [0] == list(authorizations("cl\u00e9")[Credential.NOT_ASCII])


def test_the_key_is_also_sent_as_in_an_address() -> None:
    """Who decodes it takes it for the key."""
    assert "Bearer %61.b" in authorizations("a.b")[Credential.WRONG].values()


def test_parts_and_extensions_of_the_key_are_told_apart() -> None:
    """Shorter ones are parts, longer ones hold the whole."""
    headers = authorizations("abcdef")
    assert all(
        each and each[7:] in "abcdef" and each[7:] != "abcdef"
        for each in headers[Credential.SHORTER].values()
    )
    assert all(
        each and "abcdef" in each[7:] and each[7:] != "abcdef" for each in headers[Credential.LONGER].values()
    )


def test_a_key_without_letters_has_no_other_case() -> None:
    """Its clause cannot be told."""
    assert {} == authorizations("1234567890")[Credential.RECASED]
    recased = {0: "Bearer AbC", 1: "Bearer ABC", 2: "Bearer abc", 3: "Bearer ABc"}
    assert recased == authorizations("aBc")[Credential.RECASED]
    assert "Bearer 1A-b" == authorizations("1a-b")[Credential.RECASED][3]


def test_a_key_of_one_character_has_no_shorter_form() -> None:
    """What would be left is the empty token, which is another kind."""
    assert {} == authorizations("a")[Credential.SHORTER]


def test_a_number_means_the_same_for_every_key() -> None:
    """So that a recorded request says what was sent, although the key is in no record; a number may be left out."""
    halves = [authorizations(key)[Credential.SHORTER].get(2) for key in ("abcdef", "----", "aa")]
    assert ["Bearer abc", "Bearer --", None] == halves


def test_a_wrong_key_may_differ_in_one_character_alone() -> None:
    """The last one, and the first one."""
    wrong = authorizations("s3cret-Key")[Credential.WRONG].values()
    tokens = [each.removeprefix("Bearer ") for each in wrong if each is not None]
    assert any(each[:-1] == "s3cret-Ke" and each[-1] != "y" for each in tokens)
    assert any(each[1:] == "3cret-Key" and each[0] != "s" for each in tokens)


@pytest.mark.parametrize("size", [32, 48, 64, 33])
def test_a_wrong_or_shorter_key_is_no_other_writing_of_the_same_bytes(size: int) -> None:
    """A key may be the signature of a token: its last character carries but a part of its bits, padding carries none."""

    def decoded(token: str) -> bytes:
        return base64.urlsafe_b64decode(token.rstrip("=") + "=" * (-len(token.rstrip("=")) % 4))

    for number in range(64):
        value = hashlib.shake_256(bytes([number])).digest(size)
        padded = base64.urlsafe_b64encode(value).decode()
        for key in (padded, padded.rstrip("=")):
            headers = authorizations(key)
            forms = (headers[Credential.WRONG].get(LAST), headers[Credential.SHORTER][0])
            tokens = [each.removeprefix("Bearer ") for each in forms if each is not None]
            assert key not in tokens
            # What has a single character too many is not base64 at all.
            assert value not in [decoded(each) for each in tokens if len(each.rstrip("=")) % 4 != 1]


def test_a_very_long_key_is_not_doubled() -> None:
    """Servers refuse heads beyond some 8 KB, whatever they say."""
    forms = authorizations("key")[Credential.LONGER].keys()
    assert forms - {1} == authorizations("k" * 4000)[Credential.LONGER].keys()


@pytest.mark.parametrize("key", ["pending1", "available-1", "messages", "codes!"])
def test_words_of_the_interface_stay_where_a_key_begins_with_one(key: str) -> None:
    """The key is taken out, and not the word, which would change what is judged."""
    body = f'{{"status":"{key[:9]}","message":"a message, pending","code":"codes"}}'.encode()
    assert b"a message, pending" in Redactor(key).bytes(body)
    assert key.encode() not in Redactor(key).bytes(f"the key {key} is wrong".encode())


def test_a_number_that_is_a_value_of_its_own_stays() -> None:
    """It is an id or a category, whatever the key is, and the body has to stay JSON; in a text it is the key."""
    body = b'[{"id":123456,"categoryId": 123456}, {"message":"123456 is no key, 123456"}]'
    cleaned = json.loads(Redactor("123456").bytes(body))
    assert {"id": 123456, "categoryId": 123456} == cleaned[0]
    assert f"{REDACTED} is no key, {REDACTED}" == cleaned[1]["message"]


LONG = "s3cret-Key/With+Signs=="
FORMS = {
    "plain": LONG,
    "in JSON": json.dumps(LONG)[1:-1],
    "in JSON with escaped slashes": LONG.replace("/", "\\/"),
    "in a URL": quote(LONG, safe=""),
    "in a form": quote_plus(LONG),
    "in HTML": html.escape(LONG),
    "in base64": base64.b64encode(LONG.encode()).decode(),
    "as a header in base64": base64.b64encode(f"Bearer {LONG}".encode()).decode(),
    "in base32": base64.b32encode(LONG.encode()).decode(),
    "as a header in base32": base64.b32encode(f"Bearer {LONG}".encode()).decode().lower(),
    "backwards": LONG[::-1],
    "in a dump": LONG.encode().hex(" "),
    "in another dump": LONG.encode().hex(":").upper(),
    "as bytes of C": ", ".join(f"0x{each:02x}" for each in LONG.encode()),
    "as UTF-16 in hexadecimal": LONG.encode("utf-16-le").hex(),
    "as UTF-16 in a dump": LONG.encode("utf-16-be").hex(" "),
    "as UTF-16 in base64": base64.b64encode(LONG.encode("utf-16-le")).decode(),
    "in a log of nginx": "".join(f"\\x{each:02X}" for each in LONG.encode()),
    "in a log, and that in JSON": "".join(f"\\\\x{each:02x}" for each in LONG.encode()),
    "in full width": "".join(chr(0xFEE0 + each) for each in LONG.encode()),
    "in full width in JSON": json.dumps("".join(chr(0xFEE0 + each) for each in LONG.encode()))[1:-1],
    "its second half": LONG[len(LONG) // 2 :],
}


@pytest.mark.parametrize("form", FORMS)
def test_the_key_is_taken_out_in_every_form(form: str) -> None:
    """Deployments echo what they were sent."""
    text = f'{{"seen": "{FORMS[form]}"}}'
    redacted = Redactor(LONG).text(text)
    assert FORMS[form].rstrip("=") not in redacted
    assert REDACTED in redacted
    assert redacted.encode() == Redactor(LONG).bytes(text.encode())


@pytest.mark.parametrize("key", ['quote"and\\slash', "less<than>&more", "with spaces in it"])
def test_signs_that_are_escaped_are_known(key: str) -> None:
    """JSON, HTML and URLs each have their own way."""
    for form in (json.dumps(key)[1:-1], html.escape(key), quote(key, safe=""), quote_plus(key)):
        assert form not in Redactor(key).text(f"<p>{form}</p>")


def test_a_key_of_digits_is_not_cut_out_of_longer_numbers() -> None:
    """Ids would change, and JSON would break."""
    redactor = Redactor("12345678")
    assert '{"id": 9123456789}' == redactor.text('{"id": 9123456789}')
    assert "12345678" not in redactor.text('{"key": "12345678"}')


def test_what_looks_like_full_width_or_a_log_stays_where_there_is_no_key() -> None:
    """Animals may have such names."""
    text = '{"name": "\uff32\uff45\uff58\uff01\u3002\uff5e\uff61 \\\\x4b\\\\x65\\\\x79"}'
    assert text == Redactor(LONG).text(text)


@pytest.mark.parametrize("key", ["", "a", "pets", "sold", "12345"])
def test_a_short_key_is_an_ordinary_word(key: str) -> None:
    """Taking it out would change bodies that do not echo it."""
    text = '{"name": "pets sold 12345 a"}'
    assert text == Redactor(key).text(text)


def test_what_holds_no_key_stays_as_it_is() -> None:
    """Bytes that are no text as well."""
    assert b"\xff\x00body" == Redactor(LONG).bytes(b"\xff\x00body")
    assert "lone \udc80" == Redactor(LONG).text("lone \udc80")


@pytest.mark.parametrize("key", ["secret-key-of-mine", "secret}key-of-mine", "9876543210123"])
def test_a_key_is_found_in_what_was_searched_before_but_for_the_key(key: str) -> None:
    """What was clean is not searched again: whatever comes between, before or behind it is."""
    redactor = Redactor(key)
    clean = b'[{"name": "a"},{"name": "secret"},{"name": "of-mine"}]'
    assert clean == redactor.bytes(clean)
    assert clean == redactor.bytes(clean)
    for at in (3, 15, 16, 17, len(clean)):
        echo = clean[:at] + b" " + key.encode() + b" " + clean[at:]
        assert key.encode() not in redactor.bytes(echo)
        assert clean[:at] + b" [api-key] " + clean[at:] == redactor.bytes(echo)
