"""Access tokens that say whose they are, and that others can verify (RFC 9068), for AWS."""

import time
import uuid

import jwt
from django.conf import settings
from jwcrypto import jwk


def token(request):
    key = settings.OAUTH2_PROVIDER["OIDC_RSA_PRIVATE_KEY"]
    now = int(time.time())
    claims = {
        "iss": settings.OAUTH2_PROVIDER["OIDC_ISS_ENDPOINT"], "aud": "sts.amazonaws.com",
        "sub": request.user.get_username(), "client_id": request.client.client_id, "iat": now,
        "exp": now + settings.OAUTH2_PROVIDER["ACCESS_TOKEN_EXPIRE_SECONDS"],
        "jti": str(uuid.uuid4())}
    # Under the name that the server publishes its key by.
    name = jwk.JWK.from_pem(key.encode()).thumbprint()
    return jwt.encode(claims, key, "RS256", headers={"kid": name, "typ": "at+jwt"})
