"""The server's side of the protocol, by Authlib: its hooks and its consumers."""

import base64
import hashlib
import hmac

from authlib.integrations.flask_oauth1 import AuthorizationServer
from authlib.oauth1 import ClientMixin
from authlib.oauth1.rfc5849.base_server import BaseServer
from authlib.oauth1.rfc5849.signature import generate_signature_base_string
from authlib.oauth1.rfc5849.util import escape
from flask import request

SIGNATURE_METHODS = ["HMAC-SHA1", "HMAC-SHA256", "RSA-SHA1", "PLAINTEXT"]


def verify_hmac_sha256(signed):
    """An extension that Authlib does not know: HMAC-SHA1 (section 3.4.2) with the other hash."""
    key = f"{escape(signed.client_secret or '')}&{escape(signed.token_secret or '')}"
    text = generate_signature_base_string(signed)
    expected = base64.b64encode(hmac.digest(key.encode(), text.encode(), hashlib.sha256)).decode()
    return hmac.compare_digest(expected, signed.signature)


BaseServer.register_signature_method("HMAC-SHA256", verify_hmac_sha256)


class Consumer(ClientMixin):
    def __init__(self, key, secret="", rsa_public_key=None):
        self.key = key
        self.secret = secret
        self.rsa_public_key = rsa_public_key

    def get_default_redirect_uri(self):
        """Where a person goes whose client gave "oob" for its callback."""
        return request.host_url + "verifier"

    def get_client_secret(self):
        return self.secret

    def get_rsa_public_key(self):
        return self.rsa_public_key


class Provider(AuthorizationServer):
    def __init__(self, app, store, rsa_public_key):
        # The first is the example of RFC 5849, section 1.2.
        known = [
            Consumer("dpf43f3p2l4k3l03", secret="kd94hf93k423kf44"),
            Consumer("gatebook-rsa", rsa_public_key=rsa_public_key),
        ]
        self.consumers = {consumer.key: consumer for consumer in known}
        self.store = store
        super().__init__(app, query_client=self.consumers.get)
        self.register_hook("exists_nonce", store.is_known_nonce)
        self.register_hook("create_temporary_credential", self.keep_temporary)
        self.register_hook("get_temporary_credential", store.temporary)
        self.register_hook("delete_temporary_credential", store.forget_temporary)
        self.register_hook("create_authorization_verifier", self.keep_verifier)
        self.register_hook("create_token_credential", self.keep_token)

    def keep_temporary(self, token, consumer, callback):
        self.store.keep_temporary(
            token["oauth_token"], token["oauth_token_secret"], consumer, callback)
        return self.store.temporary(token["oauth_token"])

    def keep_verifier(self, credential, user, verifier):
        self.store.allow_temporary(credential.get_oauth_token(), user, verifier)

    def keep_token(self, token, credential):
        return self.store.keep_token(
            token["oauth_token"], token["oauth_token_secret"], credential.get_client_id(),
            credential.get_user_id())
