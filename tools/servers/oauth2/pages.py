"""What the tokens open, and what only the server's owner may do."""

import json

from django.contrib.auth import authenticate, login, logout
from django.contrib.auth.models import User
from django.http import JsonResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from oauth2_provider.decorators import protected_resource
from oauth2_provider.models import get_access_token_model, get_refresh_token_model


def bearer(request):
    """Whom the token speaks for: a person, or an application alone."""
    value = request.headers["Authorization"].partition(" ")[2]
    owner = request.resource_owner
    # It may have been replaced since it was looked at.
    token = get_access_token_model().objects.filter(token=value).first()
    client = token and token.application.client_id
    return JsonResponse({"user": owner and owner.get_username(), "client": client})


me = csrf_exempt(protected_resource(scopes=["read"], advertise_metadata=True)(bearer))
bare = csrf_exempt(protected_resource(scopes=["read"])(bearer))


@csrf_exempt
@require_POST
def log_in(request):
    said = json.loads(request.body or b"{}")
    user = authenticate(
        request, username=said.get("username"), password=said.get("password"))
    if user is None:
        return JsonResponse({"error": "bad credentials"}, status=401)
    login(request, user)
    request.session.set_expiry(int(said.get("ttl", 60)))
    return JsonResponse({"username": user.get_username()})


def session(request):
    if not request.user.is_authenticated:
        return JsonResponse({"error": "login required"}, status=401)
    return JsonResponse({"username": request.user.get_username()})


@csrf_exempt
@require_POST
def log_out(request):
    logout(request)
    return JsonResponse({})


@csrf_exempt
@require_POST
def revoke(request):
    user = User.objects.get(username=request.POST["user"])
    live = list(get_refresh_token_model().objects.filter(user=user, revoked=None))
    for token in live:
        token.revoke()
    get_access_token_model().objects.filter(user=user).delete()
    return JsonResponse({"revoked": len(live)})


@csrf_exempt
@require_POST
def expire(request):
    live = get_access_token_model().objects.filter(
        user__username=request.POST["user"], expires__gt=timezone.now())
    return JsonResponse({"expired": live.update(expires=timezone.now())})


def tokens(request):
    access = get_access_token_model().objects.filter(expires__gt=timezone.now())
    refresh = get_refresh_token_model().objects.filter(revoked=None)
    return JsonResponse({
        user.get_username(): {
            "access": access.filter(user=user).count(),
            "refresh": refresh.filter(user=user).count()}
        for user in User.objects.all()})
