internal import GatebookEvents

@testable internal import GatebookAuthentication

extension StoredRecordTests {
  /// Reads a record of each type and writes it again.
  static let types: [String: @Sendable (Facts) -> Facts?] = [
    "AccessToken": { AccessToken(record: $0)?.record },
    "AwaitedRedirect": { AwaitedRedirect(record: $0)?.record },
    "ClientRegistration": { ClientRegistration(record: $0)?.record },
    "CodeGrant": { CodeGrant(record: $0)?.record },
    "CodeVisit": { CodeVisit(record: $0)?.record },
    "CookieJar": { CookieJar(record: $0)?.record },
    "DeviceAuthorisation": { DeviceAuthorisation(record: $0)?.record },
    "DeviceGrant": { DeviceGrant(record: $0)?.record },
    "DigestKey": { DigestKey(record: $0)?.record },
    "FCSDKGateway": { FCSDKGateway(record: $0)?.record },
    "HTTPCredential": { HTTPCredential(record: $0)?.record },
    "IDTokenClaims": { IDTokenClaims(record: $0)?.record },
    "IDTokenRules": { IDTokenRules(record: $0)?.record },
    "JWSKey": { JWSKey(record: $0)?.record },
    "KeptIdentity": { KeptIdentity(record: $0)?.record },
    "LiferayOAuth1Login": { LiferayOAuth1Login(record: $0)?.record },
    "LiferayOAuth2Login": { LiferayOAuth2Login(record: $0)?.record },
    "LiferayOAuth2Paths": { LiferayOAuth2Paths(record: $0)?.record },
    "LiferayPortal": { LiferayPortal(record: $0)?.record },
    "MobileFirstApp": { MobileFirstApp(record: $0)?.record },
    "MobileFirstDevice": { MobileFirstDevice(record: $0)?.record },
    "OAuth1Consumer": { OAuth1Consumer(record: $0)?.record },
    "OAuth1Login": { OAuth1Login(record: $0)?.record },
    "OAuth1Service": { OAuth1Service(record: $0)?.record },
    "OAuth1Session": { OAuth1Session(record: $0)?.record },
    "OAuth1Target": { OAuth1Target(record: $0)?.record },
    "OAuth1Token": { OAuth1Token(record: $0)?.record },
    "OAuth2Application": { OAuth2Application(record: $0)?.record },
    "OAuth2Application.Authentication": { OAuth2Application.Authentication(record: $0)?.record },
    "OAuth2Client": { OAuth2Client(record: $0)?.record },
    "OAuth2Login": { OAuth2Login(record: $0)?.record },
    "OAuth2Server": { OAuth2Server(record: $0)?.record },
    "OAuth2Tokens": { OAuth2Tokens(record: $0)?.record },
    "ServerMetadata": { ServerMetadata(record: $0)?.record },
    "StepUp": { StepUp(record: $0)?.record },
    "TokenBinding": { TokenBinding(record: $0)?.record },
    "TokenMembers": { TokenMembers(record: $0)?.record },
    "Trust": { Trust(record: $0)?.record },
    "TrustException": { TrustException(record: $0)?.record },
    "machine:liferay-oauth1": { machine("liferay-oauth1", $0) },
    "machine:liferay-oauth2-redirect": { machine("liferay-oauth2-redirect", $0) },
    "machine:oauth1": { machine("oauth1", $0) },
    "machine:oauth2": { machine("oauth2", $0) },
    "machine:oidc": { machine("oidc", $0) },
    "proof:fcsdk": { proof("fcsdk", $0) },
    "proof:form": { proof("form", $0) },
    "proof:http": { proof("http", $0) },
    "proof:liferay-basic": { proof("liferay-basic", $0) },
    "proof:liferay-cookie": { proof("liferay-cookie", $0) },
    "proof:liferay-oauth1": { proof("liferay-oauth1", $0) },
    "proof:liferay-oauth2-password": { proof("liferay-oauth2-password", $0) },
    "proof:liferay-oauth2-redirect": { proof("liferay-oauth2-redirect", $0) },
    "proof:mobilefirst": { proof("mobilefirst", $0) },
    "proof:oauth1": { proof("oauth1", $0) },
    "proof:oauth2": { proof("oauth2", $0) },
    "proof:oidc": { proof("oidc", $0) },
  ]

  private static func proof(_ method: String, _ record: Facts) -> Facts? {
    SessionProofs.decode(method: method, record: record)?.record
  }

  private static func machine(_ method: String, _ record: Facts) -> Facts? {
    RedirectAuthenticators.decode(method: method, record: record)?.record
  }
}
