internal import GatebookAuthentication
internal import GatebookEvents
internal import GatebookSystem

/// Words the failures of TLS with one server.
struct TLSRefusal {
  let origin: Origin
  let delivery: TransportFailure.Delivery
  /// libcurl's status and words.
  let cause: String
  /// The proxy on the way, as people may see it.
  var proxy: String?

  /// The certificate has defects that were not accepted.
  func untrusted(_ certificate: ServerCertificate) -> TransportFailure {
    let defects = certificate.defects.sorted
    let names = defects.map(\.rawValue).joined(separator: ", ")
    return failure(
      .tlsUntrusted,
      "The certificate of \(origin) is not trusted: it "
        + "\(defects.map(\.explanation).joined(separator: " and ")).",
      """
      Check the address. If the server is your own, trust the authority that signed it, or compare \
      its key and accept exactly that key with these defects.
      """, cause: "defects \(names); key \(certificate.key)", certificate: certificate)
  }

  /// The certificate was refused by libcurl, which names only the first defect.
  func untrusted(_ defect: CertificateDefect) -> TransportFailure {
    failure(
      .tlsUntrusted, "The certificate of \(origin) is not trusted: it \(defect.explanation).",
      "Check the address; if the server is your own, trust the authority that signed it.",
      cause: "defects \(defect.rawValue); \(cause)")
  }

  /// The certificate of the proxy was refused by libcurl.
  func proxyUntrusted(_ defect: CertificateDefect) -> TransportFailure {
    failure(
      .tlsUntrusted,
      "The certificate of the proxy on the way to \(origin) is not trusted: it "
        + "\(defect.explanation).",
      "Check the proxy's address; an authority that signed it has to be one of the machine's.",
      cause: "defects \(defect.rawValue); \(cause)")
  }

  /// The key is none of the pinned or accepted ones.
  func keyChanged(_ certificate: ServerCertificate?, _ trust: Trust) -> TransportFailure {
    let breaksPin = !trust.pins.isEmpty && !trust.pins.contains { $0 == certificate?.key }
    let shown = certificate.map { "key \($0.key)" }
    return failure(
      .tlsKeyChanged,
      breaksPin
        ? "The key of \(origin) is not one of the pinned ones."
        : "The key of \(origin) is not the one that was accepted.",
      """
      Someone may be intercepting the connection. Ask who runs the server whether its key was changed, and \
      compare it; only then \(breaksPin ? "pin the new key too" : "replace the exception").
      """, cause: shown ?? cause, certificate: certificate)
  }

  /// The server wants another certificate of the client, or one at all.
  ///
  /// - Parameters:
  ///   - alert: What the server said.
  ///   - showsCertificate: Whether it got one.
  ///   - isAnswered: Whether any of an answer had come: then the handshake was over.
  /// - Returns: The failure.
  func clientRefused(
    _ alert: TLSAlert?, showsCertificate: Bool, isAnswered: Bool = false
  ) -> TransportFailure {
    let isRefused = showsCertificate && alert?.asksForCertificate == false
    var refusal = failure(
      .tlsUntrusted, isRefused ? .clientRefused : .clientMissing,
      showsCertificate
        ? "Use a certificate that the server's owner has issued and that is in date."
        : "Name the certificate that the server's owner has issued, and its key.", alert: alert)
    // With TLS 1.3 the request is on its way by then, but the server ends the handshake before it
    // takes any of it (RFC 8446 section 4.4.2.4).
    if alert != nil, !isAnswered { refusal.delivery = .notSent }
    return refusal
  }

  /// The connection broke off after the server had asked for a client certificate and got none.
  func brokenOffUnshown() -> TransportFailure {
    failure(
      .networkUnreachable, .answerClient,
      "Name the certificate that the server's owner has issued, and its key; where there is none, try again "
        + "later. The server may have acted on the request.")
  }

  /// The files of the client certificate are of no use.
  func unusable(_ client: ClientCertificate) -> TransportFailure {
    failure(
      .configurationInvalid, .clientFiles,
      "Name the PEM files of a certificate and of its unencrypted key.", detail: client.trouble)
  }

  /// Both sides found no TLS in common.
  func protocolFailure(_ alert: TLSAlert?) -> TransportFailure {
    // What OpenSSL says of an answer that does not begin as TLS does, such as one of plain HTTP.
    guard !cause.contains("wrong version number") else {
      if let proxy {
        return failure(
          .tlsUntrusted, .tlsMissing, "Check the addresses of both.", alert: alert,
          place: "\(origin), or that of the proxy \(proxy),")
      }
      return failure(
        .tlsUntrusted, .tlsMissing,
        "Check the port, and whether the URL should begin with `http:`.", alert: alert,
        setting: "url")
    }
    return failure(
      .tlsUntrusted, .tlsHandshake,
      """
      Check that the port speaks TLS 1.2 or newer, and whether the server asks for a client \
      certificate.
      """, alert: alert)
  }

  /// A failure in the words of its fault.
  private func failure(
    _ code: FailureCode, _ fault: Fault, _ remedy: String, detail: String? = nil,
    alert: TLSAlert? = nil, setting: String? = nil, place: String? = nil
  ) -> TransportFailure {
    var error = GatebookError(
      code, fault, of: place ?? "\(origin)", detail, kept: GatebookError.sessionKept,
      remedy: remedy,
      cause: cause, serverCode: alert?.name)
    error.setting = setting
    return TransportFailure(error, delivery: delivery)
  }

  private func failure(
    _ code: FailureCode, _ message: String, _ remedy: String, cause: String,
    certificate: ServerCertificate? = nil
  ) -> TransportFailure {
    TransportFailure(
      GatebookError(
        code, message, kept: GatebookError.sessionKept, remedy: remedy, cause: cause),
      delivery: delivery, certificate: certificate)
  }
}
