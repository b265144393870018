"""Whether a signed request is good, by oauthlib: it shares nothing with the server's own library."""

from flask import request
from oauthlib.oauth1 import RequestValidator, ResourceEndpoint

from provider import SIGNATURE_METHODS


class Validator(RequestValidator):
    enforce_ssl = False
    allowed_signature_methods = SIGNATURE_METHODS
    client_key_length = 1, 60
    access_token_length = 1, 80
    nonce_length = 1, 80
    # Every visible letter of ASCII: the default leaves out "-" and "_".
    safe_characters = set(map(chr, range(33, 127)))
    # Checked in place of a consumer and a token that do not exist, so that both take as long.
    dummy_client = "nobody"
    dummy_access_token = "nothing"

    def __init__(self, store, consumers):
        super().__init__()
        self.store = store
        self.consumers = consumers

    def validate_client_key(self, client_key, request):
        return client_key in self.consumers

    def validate_access_token(self, client_key, token, request):
        return self.store.token(client_key, token) is not None

    def validate_timestamp_and_nonce(
            self, client_key, timestamp, nonce, request, request_token=None, access_token=None):
        return not self.store.is_known_nonce(nonce, timestamp, client_key, access_token)

    def validate_realms(self, client_key, token, request, uri=None, realms=None):
        return True

    def get_client_secret(self, client_key, request):
        consumer = self.consumers.get(client_key)
        return consumer.secret if consumer else "unknown"

    def get_rsa_key(self, client_key, request):
        consumer = self.consumers.get(client_key)
        return consumer.rsa_public_key if consumer else None

    def get_access_token_secret(self, client_key, token, request):
        known = self.store.token(client_key, token)
        return known.secret if known else "unknown"


class SecondOpinion:
    def __init__(self, store, consumers):
        self.store = store
        self.endpoint = ResourceEndpoint(Validator(store, consumers))

    def user(self):
        """Who the request being served speaks for, or None when it is refused."""
        # The path and query as they were sent: a signature is over these, not over what they mean.
        url = f"http://{request.host}{request.environ['RAW_URI']}"
        is_form = request.mimetype == "application/x-www-form-urlencoded"
        is_good, signed = self.endpoint.validate_protected_resource_request(
            url, request.method, request.get_data(as_text=True) if is_form else None,
            dict(request.headers))
        if not is_good:
            return None
        return self.store.token(signed.client_key, signed.resource_owner_key).user
