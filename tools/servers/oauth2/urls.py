"""Which page is where."""

from django.contrib.auth.views import LoginView
from django.urls import include, path

import pages

urlpatterns = [
    path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")),
    path("login", LoginView.as_view()),
    path("api/me", pages.me),
    path("api/bare", pages.bare),
    path("json/login", pages.log_in),
    path("json/me", pages.session),
    path("json/logout", pages.log_out),
    path("admin/revoke", pages.revoke),
    path("admin/expire", pages.expire),
    path("admin/tokens", pages.tokens)]
