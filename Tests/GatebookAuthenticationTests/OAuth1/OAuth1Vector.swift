internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

@testable internal import GatebookAuthentication

/// One signed request of the fixtures.
struct OAuth1Vector: Sendable, CustomTestStringConvertible {
  let name: String
  let method: String
  let url: String
  let parameters: [(name: String, value: String)]
  let consumerSecret: String
  let tokenSecret: String
  let base: String
  let signature: String

  var testDescription: String { name }

  /// The vectors of both files.
  static let all: [OAuth1Vector] = {
    let generic = Fixture.read(PackageResources.rfc_vectors_json).object?["oauth1"]?.list ?? []
    let portal = Fixture.read(PackageResources.oauth1_hmac_sha1_vectors_json).list ?? []
    return (generic + portal).compactMap { OAuth1Vector($0.object ?? Facts()) }
  }()

  init?(_ facts: Facts) {
    guard let name = facts["name"]?.text, let method = facts["method"]?.text,
      let url = facts["url"]?.text, let list = facts["params"]?.list,
      let consumerSecret = (facts["consumer_secret"] ?? facts["consumerSecret"])?.text,
      let tokenSecret = (facts["token_secret"] ?? facts["tokenSecret"])?.text,
      let base = (facts["base_string"] ?? facts["base"])?.text,
      let signature = facts["signature"]?.text
    else { return nil }
    self.name = name
    self.method = method
    self.url = url
    parameters = list.compactMap { pair in
      guard let pair = pair.list, pair.count == 2, let name = pair[0].text,
        let value = pair[1].text
      else { return nil }
      return (name: name, value: value)
    }
    guard parameters.count == list.count else { return nil }
    self.consumerSecret = consumerSecret
    self.tokenSecret = tokenSecret
    self.base = base
    self.signature = signature
  }

  /// The value of one parameter.
  func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// The parameters of the protocol, which go in the header.
  var protocolParameters: [OAuth1Parameter] {
    parameters.filter { $0.name.hasPrefix("oauth_") }.map { OAuth1Parameter($0.name, $0.value) }
  }

  /// The others as a form.
  private var form: [UInt8] {
    FormEncoding.encode(parameters.filter { !$0.name.hasPrefix("oauth_") })
  }

  /// The request with its other parameters in the query.
  func withQuery() throws -> HTTPRequest {
    let query = form.isEmpty ? "" : "?" + String(decoding: form, as: UTF8.self)
    return HTTPRequest(method, try #require(HTTPURL(url + query)))
  }

  /// The request with its other parameters in the body.
  func withBody() throws -> HTTPRequest {
    HTTPRequest(
      method, try #require(HTTPURL(url)), fields: [FormEncoding.contentType], body: form)
  }
}
