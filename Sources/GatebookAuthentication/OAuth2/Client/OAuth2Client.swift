internal import GatebookCrypto
internal import GatebookEvents

/// A client as an authorisation server knows it, and how it shows who it is (RFC 6749 section 2.3).
struct OAuth2Client: Sendable {
  /// How a client authenticates; never two ways at once.
  enum Authentication: String, Sendable {
    /// A public client: `client_id` in the body.
    case none
    /// HTTP Basic, id and secret form-encoded first, as the standard says.
    case basic
    /// HTTP Basic with id and secret as they are, as Liferay wants it.
    case basicRaw
    /// Id and secret in the body.
    case post
  }

  let id: String
  let secret: Secret?
  let authentication: Authentication

  /// The request to an endpoint of the server with these parameters.
  ///
  /// It is never repeated by itself: codes, refresh tokens and wrong passwords count.
  func request(_ endpoint: HTTPURL, _ parameters: [(name: String, value: String)]) -> HTTPRequest {
    var parameters = parameters
    var fields = [FormEncoding.contentType, HTTPField("Accept", "application/json")]
    switch authentication {
    case .none: parameters.append(("client_id", id))
    case .post:
      parameters.append(("client_id", id))
      if let secret { parameters.append(("client_secret", secret.text)) }
    case .basic:
      fields.append(
        Self.basic(
          FormEncoding.encode([(id, "")]).dropLast(),
          FormEncoding.encode([(secret?.text ?? "", "")]).dropLast()))
    case .basicRaw: fields.append(Self.basic(id.utf8, (secret?.text ?? "").utf8))
    }
    return HTTPRequest(
      "POST", endpoint, fields: fields, body: FormEncoding.encode(parameters),
      isRepeatable: false, limits: .endpoint)
  }

  private static func basic(
    _ id: some Sequence<UInt8>, _ secret: some Sequence<UInt8>
  ) -> HTTPField {
    HTTPField("Authorization", "Basic " + Base64.encode(Array(id) + [.colon] + Array(secret)))
  }
}

extension OAuth2Client: StoredRecord {
  /// The application and its secret.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    authentication = try facts.required("authentication", kept?.authentication)
    id = try facts.required("id", kept?.id)
    secret = facts.optional("secret", kept?.secret)
  }
}

extension OAuth2Client.Authentication: Storable {}
