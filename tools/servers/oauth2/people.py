"""Who is known to the server: people and applications. Does nothing where they are known already.

People        alice/alice-pass-1, bob/bob-pass-1, žofie/heslo-ěšč, user-01/user-01-pass and so on
Applications  gatebook-public    on a page, with PKCE; any port of 127.0.0.1, or an own scheme
              gatebook-device    by a code on another device
              gatebook-password  by name and password; has the secret `password-secret`
              gatebook-machine   for itself; has the secret `machine-secret`
"""

import os

from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import transaction
from oauth2_provider.models import get_application_model

KNOWN = {"alice": "alice-pass-1", "bob": "bob-pass-1", "žofie": "heslo-ěšč"}

REDIRECTS = "http://127.0.0.1/callback com.example.gatebook:/callback"

APPLICATIONS = [
    {"client_id": "gatebook-public", "client_type": "public", "redirect_uris": REDIRECTS,
     "authorization_grant_type": "authorization-code"},
    {"client_id": "gatebook-device", "client_type": "public",
     "authorization_grant_type": "urn:ietf:params:oauth:grant-type:device_code"},
    {"client_id": "gatebook-password", "client_type": "confidential",
     "client_secret": "password-secret", "authorization_grant_type": "password"},
    {"client_id": "gatebook-machine", "client_type": "confidential",
     "client_secret": "machine-secret", "authorization_grant_type": "client-credentials"}]


def make():
    call_command("migrate", run_syncdb=True, verbosity=0)
    people = dict(KNOWN)
    for number in range(1, int(os.environ.get("USERS", 20)) + 1):
        people[f"user-{number:02}"] = f"user-{number:02}-pass"
    with transaction.atomic():
        for name, password in people.items():
            if not User.objects.filter(username=name).exists():
                User.objects.create_user(name, "someone@example.org", password)
        for application in APPLICATIONS:
            get_application_model().objects.get_or_create(
                client_id=application["client_id"],
                defaults=application | {"name": application["client_id"], "algorithm": "RS256"})
