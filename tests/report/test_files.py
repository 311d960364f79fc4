# SPDX-License-Identifier: GPL-2.0-or-later
"""A file is written wholly or not at all, and a failure says where and what to do."""

import os

import pytest

from geoanon_qgis.core.runtime.errors import GeoAnonError
from geoanon_qgis.report import Wording, files, write_html, write_json

WRITERS = pytest.mark.parametrize("write", [write_html, write_json])


@WRITERS
def test_replaces_the_old_file_and_leaves_nothing_beside_it(report, tmp_path, write):
    path = tmp_path / "report"
    path.write_text("old")
    write(report, path)
    assert "Voronoi masking" in path.read_text(encoding="utf-8")
    assert os.listdir(tmp_path) == ["report"]


@WRITERS
@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_failure_keeps_the_old_file(report, tmp_path, monkeypatch, write, failing):
    path = tmp_path / "report"
    path.write_text("old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, failing, fail)
    with pytest.raises(GeoAnonError, match="No space left on device") as caught:
        write(report, str(path))
    assert str(path) in str(caught.value) and "Choose a folder" in str(caught.value)
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["report"]


@WRITERS
def test_missing_folder(report, tmp_path, write):
    with pytest.raises(GeoAnonError, match="could not be written"):
        write(report, tmp_path / "nowhere" / "report.html")


def test_destination_is_a_folder(report, tmp_path):
    (tmp_path / "report.html").mkdir()
    with pytest.raises(GeoAnonError):
        write_html(report, tmp_path / "report.html")
    assert os.listdir(tmp_path) == ["report.html"]


def test_write_protected_file_is_respected(report, tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    path.write_text("old")
    path.chmod(0o444)
    # the superuser may write everywhere: ask as somebody else would be answered
    monkeypatch.setattr(files.os, "access", lambda *_: False)
    with pytest.raises(GeoAnonError, match="[Pp]ermission"):
        write_html(report, path)
    assert path.read_text() == "old"


def test_stopping_leaves_nothing_half_written(report, tmp_path, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(files.os, "fsync", stop)
    with pytest.raises(KeyboardInterrupt):
        write_html(report, tmp_path / "report.html")
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(os.name != "posix", reason="links and modes of POSIX")
def test_links_are_followed_and_the_umask_is_kept(report, tmp_path):
    (tmp_path / "real.html").write_text("old")
    (tmp_path / "link.html").symlink_to("real.html")
    write_html(report, tmp_path / "link.html")
    assert (tmp_path / "link.html").is_symlink()
    assert "Voronoi" in (tmp_path / "real.html").read_text(encoding="utf-8")
    (tmp_path / "plain").write_text("")
    assert (tmp_path / "real.html").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_message_can_be_given_in_another_language(report, tmp_path):
    wording = Wording(write_failed="{path} ging nicht: {reason}")
    with pytest.raises(GeoAnonError, match="x.html ging nicht: "):
        write_html(report, tmp_path / "nowhere" / "x.html", wording)
