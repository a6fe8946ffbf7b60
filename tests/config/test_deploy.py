"""deploy/: what it says is read by the programs that it is for, where they are here, and agrees with the app."""

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from config import lane
from config.front import TOO_LARGE
from firefight.hosting.starting import OPEN_FILES, ExitCode
from firefight.web.uploads import LARGEST
from tests.books import ROOT

DEPLOY = ROOT / "deploy"
VARIABLE = re.compile(r"\b[A-Z][A-Z_]{3,}\b")


def needs(program):
    return pytest.mark.skipif(not shutil.which(program), reason=f"no {program} on this machine")


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def read_compose():
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())


def read_settings():
    """Every variable that the settings or `play` ask for."""
    places = [ROOT / "config" / "settings.py", ROOT / "firefight/management/commands/play.py"]
    return set(VARIABLE.findall(" ".join(path.read_text() for path in places)))


def test_compose_keeps_what_must_last_in_volumes():
    compose = read_compose()
    volumes = [volume.split(":")[0] for service in compose["services"].values() for volume in service["volumes"]]
    assert sorted(volumes) == sorted(compose["volumes"])
    last = (DEPLOY / "Containerfile").read_text().split("\nFROM ")[-1]
    (data,) = re.findall(r"VOLGA_DATA=(\S+)", last)
    assert f"data:{data}" in compose["services"]["app"]["volumes"]
    assert re.search(rf"^VOLUME {data}$", last, re.M)


def test_compose_waits_for_its_database_and_gives_the_app_settings_that_it_knows():
    services = read_compose()["services"]
    assert services["app"]["depends_on"]["database"]["condition"] == "service_healthy"
    assert "pg_isready" in services["database"]["healthcheck"]["test"]
    environment = services["app"]["environment"]
    assert set(environment) <= read_settings()
    assert (environment["HTTPS"], environment["BEHIND_PROXY"]) == ("1", "1")
    assert (ROOT / "deploy" / services["app"]["build"]["context"] / services["app"]["build"]["dockerfile"]).is_file()


def test_compose_lets_nobody_in_but_a_proxy_on_the_same_machine():
    services = read_compose()["services"]
    assert [port.rsplit(":", 2)[0] for port in services["app"]["ports"]] == ["127.0.0.1"]
    assert "ports" not in services["database"]


def test_compose_asks_for_what_its_example_names():
    variables = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text()))
    example = {line.split("=")[0] for line in (DEPLOY / "env.example").read_text().splitlines() if "=" in line}
    assert variables == example


def test_no_secret_is_built_into_a_container():
    assert "deploy/.env" in (ROOT / ".dockerignore").read_text().splitlines()
    assert "/deploy/.env" in (ROOT / ".gitignore").read_text().splitlines()


def test_the_container_runs_as_nobody_in_particular_and_looks_after_itself():
    last = (DEPLOY / "Containerfile").read_text().split("\nFROM ")[-1]
    assert re.search(r"^USER volga$", last, re.M)
    assert re.search(r'^HEALTHCHECK .*CMD \["/app/bin/volga-ledger", "healthy"\]$', last, re.M)
    assert "LISTEN=0.0.0.0 PORT=8000" in last  # its ports decide who comes in
    assert set(re.findall(r"(\w+)=", re.search(r"^ENV (.*)$", last, re.M)[1])) <= read_settings()


def read_service():
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str
    parser.read(DEPLOY / "volga-ledger.service")
    return parser


def test_the_service_is_not_started_again_and_again_where_a_person_is_needed():
    codes = {int(code) for code in read_service()["Service"]["RestartPreventExitStatus"].split()}
    assert codes == {ExitCode.PORT, ExitCode.DAMAGED, ExitCode.NEWER, ExitCode.DISK}


def test_the_service_runs_the_app_as_a_user_of_its_own_and_again_when_it_ends():
    service = read_service()["Service"]
    assert service["ExecStart"] == "/opt/volga-ledger/bin/volga-ledger play"
    assert service["Environment"] == f"VOLGA_DATA=/var/lib/{service['StateDirectory']}"
    assert service["EnvironmentFile"] == "-/etc/volga-ledger.env"  # it may be missing
    assert (service["DynamicUser"], service["Restart"]) == ("yes", "on-failure")
    assert int(service["LimitNOFILE"]) >= OPEN_FILES
    assert {"AF_INET", "AF_INET6", "AF_UNIX"} == set(service["RestrictAddressFamilies"].split())


def test_proxies_lead_to_where_the_app_listens_and_say_who_asks_for_what():
    nginx, caddy = (DEPLOY / "nginx.conf").read_text(), (DEPLOY / "Caddyfile").read_text()
    assert "reverse_proxy 127.0.0.1:8000\n" in caddy
    assert "proxy_pass http://127.0.0.1:8000;" in nginx
    for header in (
        "Host $http_host",  # with a port other than 443, too: CSRF compares it with the Origin
        "X-Forwarded-For $proxy_add_x_forwarded_for",
        "X-Forwarded-Proto $scheme",
    ):  # Caddy sends these by itself
        assert f"proxy_set_header {header};" in nginx


@needs("systemd-analyze")
def test_systemd_reads_the_service(tmp_path):
    text = (DEPLOY / "volga-ledger.service").read_text()
    unit = tmp_path / "volga-ledger.service"
    unit.write_text(text.replace("/opt/volga-ledger/bin/volga-ledger", "/bin/true"))
    assert "volga-ledger.service" not in run("systemd-analyze", "verify", unit)


def test_proxies_let_through_what_the_app_takes_and_refuse_more_in_its_words():
    """The app answers before it has read what is too large. Caddy hands that on; nginx makes a 502 of it."""
    nginx, caddy = (DEPLOY / "nginx.conf").read_text(), (DEPLOY / "Caddyfile").read_text()
    assert f"client_max_body_size {LARGEST};" in nginx and "max_size" not in caddy
    assert TOO_LARGE.strip() in nginx


def test_proxies_wait_as_long_as_the_app_works():
    (seconds,) = re.findall(r"proxy_read_timeout (\d+)s;", (DEPLOY / "nginx.conf").read_text())
    assert int(seconds) > lane.PATIENCE


@needs("caddy")
def test_caddy_reads_its_file(tmp_path):
    run("caddy", "validate", "--config", DEPLOY / "Caddyfile", "--adapter", "caddyfile", env={"HOME": str(tmp_path)})


@needs("nginx")
@needs("openssl")
def test_nginx_reads_its_file(tmp_path):
    certificate = ("-newkey", "rsa:2048", "-nodes", "-x509", "-subj", "/CN=ledger.example")
    run("openssl", "req", *certificate, "-keyout", tmp_path / "privkey.pem", "-out", tmp_path / "fullchain.pem")
    block = (DEPLOY / "nginx.conf").read_text().replace("/etc/letsencrypt/live/ledger.example", str(tmp_path))
    block = block.replace("listen 80", "listen 18080").replace("listen 443", "listen 18443")
    whole = Path(tmp_path / "nginx.conf")
    whole.write_text(f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ access_log off;\n{block}\n}}")
    run("nginx", "-t", "-p", tmp_path, "-c", whole)
