"""Django's and the toolkit's settings; what `start` offers comes by the environment."""

import os
import pathlib

STATE = pathlib.Path(os.environ["STATE"])
BASE = os.environ["BASE"]


def seconds(name, usual):
    return int(os.environ.get(name, usual))


def access_lifetime(request):
    """Tests make tokens that are over at once without waiting for that."""
    try:
        return int((STATE / "access-ttl").read_text())
    except FileNotFoundError:
        return seconds("ACCESS_TTL", 600)


SECRET_KEY = "for tests on loopback only"
ALLOWED_HOSTS = ["127.0.0.1", "localhost"]
ROOT_URLCONF = "urls"
LOGIN_URL = "/login"
USE_TZ = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
INSTALLED_APPS = [
    "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions",
    "oauth2_provider"]
MIDDLEWARE = [
    "ledger.Ledger",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware"]
TEMPLATES = [{
    "BACKEND": "django.template.backends.django.DjangoTemplates",
    "DIRS": [pathlib.Path(__file__).parent / "templates"],
    "APP_DIRS": True,
    "OPTIONS": {"context_processors": ["django.template.context_processors.request"]}}]
# Writers wait for each other from their first statement on: SQLite refuses one that has read first.
# What a crash of the machine would lose is no loss here.
DATABASES = {"default": {
    "ENGINE": "django.db.backends.sqlite3", "NAME": STATE / "oauth2.db", "CONN_MAX_AGE": None,
    "OPTIONS": {
        "timeout": 30, "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF"}}}
# The tables as they are today, made at once.
MIGRATION_MODULES = {"auth": None, "contenttypes": None, "sessions": None, "oauth2_provider": None}
# Every login and every client's secret is checked with it; a slow hash would be the load of a test.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
LOGGING = {
    "version": 1,
    "handlers": {"log": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["log"], "level": "ERROR"}}

OAUTH2_PROVIDER = {
    "OAUTH2_VALIDATOR_CLASS": "validator.Validator",
    "OIDC_ENABLED": True,
    "OIDC_ISS_ENDPOINT": f"{BASE}/o",
    "OIDC_RSA_PRIVATE_KEY": (STATE / "sign.key").read_text(),
    "SCOPES": {
        "openid": "Who you are", "read": "Read", "write": "Write", "introspection": "Introspect"},
    "DEFAULT_SCOPES": ["openid", "read"],
    "AUTHORIZATION_CODE_EXPIRE_SECONDS": seconds("CODE_TTL", 60),
    "ACCESS_TOKEN_EXPIRE_SECONDS": seconds("ACCESS_TTL", 600),
    "EXTRA_SERVER_KWARGS": {"token_expires_in": access_lifetime},
    "REFRESH_TOKEN_EXPIRE_SECONDS": seconds("REFRESH_TTL", 86400),
    "ROTATE_REFRESH_TOKEN": True,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "REFRESH_TOKEN_GRACE_PERIOD_SECONDS": seconds("GRACE", 0),
    "PKCE_REQUIRED": True,
    "ALLOWED_SCHEMES": ["http", "https"],
    "ALLOWED_REDIRECT_URI_SCHEMES": ["http", "https", "com.example.gatebook"],
    "DEVICE_FLOW_INTERVAL": seconds("DEVICE_INTERVAL", 1),
    "OAUTH_DEVICE_VERIFICATION_URI": f"{BASE}/o/device/",
    "OAUTH_DEVICE_VERIFICATION_URI_COMPLETE": lambda code: f"{BASE}/o/device/?user_code={code}"}

if os.environ.get("ACCESS_TOKENS") == "jwt":
    OAUTH2_PROVIDER["ACCESS_TOKEN_GENERATOR"] = "signed.token"
    OAUTH2_PROVIDER["REFRESH_TOKEN_GENERATOR"] = (
        "oauthlib.oauth2.rfc6749.tokens.random_token_generator")
