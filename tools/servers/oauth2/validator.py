"""What the server tells of a person beside the number that it knows the person by."""

from oauth2_provider.oauth2_validators import OAuth2Validator


class Validator(OAuth2Validator):
    # Each claim is told whatever scopes there are.
    oidc_claim_scope = None

    def get_additional_claims(self, request):
        return {"preferred_username": request.user.get_username()}

    def get_userinfo_claims(self, request):
        claims = super().get_userinfo_claims(request)
        return claims | {"email": request.user.email}
