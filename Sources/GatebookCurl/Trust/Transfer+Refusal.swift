internal import CCurl
internal import GatebookAuthentication
internal import GatebookEvents

extension Transfer {
  /// Why there is no TLS with the server; `nil` when a status is about something else.
  func refusal(_ status: CurlStatus) -> TransportFailure? {
    let origin = ask.request.url.origin
    guard origin.isSecure else { return nil }
    let place = proxy.place(for: origin)
    let refusal = TLSRefusal(
      origin: origin, delivery: delivery, cause: status.cause,
      proxy: place?.hasPrefix("https:") == true ? place : nil)
    switch status.code {
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
      return judged(status, refusal)
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      return refusal.keyChanged(judge?.certificate, ask.route.trust)
    case CURLE_SSL_CERTPROBLEM:
      return ask.route.trust.client.map { refusal.unusable($0) }
    default:
      return brokenOff(status, refusal)
    }
  }

  /// The certificate was refused: by the judge, or by libcurl after him.
  private func judged(_ status: CurlStatus, _ refusal: TLSRefusal) -> TransportFailure {
    guard let judge, let certificate = judge.certificate else { return unjudged(status, refusal) }
    return switch judge.verdict {
    case .keyChanged: refusal.keyChanged(certificate, ask.route.trust)
    case .trusted where status.detail.hasPrefix("SSL: "):
      // libcurl compares names itself as well, and says so in these words.
      refusal.untrusted(certificate.adding(.wrongHost))
    case .trusted:
      // libcurl takes the alert for its own finding: the server says that the client's has expired.
      refusal.clientRefused(.certificateExpired, showsCertificate: ask.route.trust.client != nil)
    case .untrusted, nil: refusal.untrusted(certificate)
    }
  }

  /// libcurl alone refused: it keeps the first defect of the server's chain and of the proxy's.
  private func unjudged(_ status: CurlStatus, _ refusal: TLSRefusal) -> TransportFailure {
    if let defect = defect(CURLINFO_PROXY_SSL_VERIFYRESULT) {
      return refusal.proxyUntrusted(defect)
    }
    // A name that does not fit is no defect of a chain.
    let isName = status.detail.hasPrefix("SSL: ")
    return refusal.untrusted(defect(CURLINFO_SSL_VERIFYRESULT) ?? (isName ? .wrongHost : .other))
  }

  private func defect(_ result: CURLINFO) -> CertificateDefect? {
    let code = told(result)
    return code == 0 ? nil : CertificateDefect(CInt(code))
  }

  /// TLS itself failed; with TLS 1.3 a server refuses a client's certificate only at the first
  /// read.
  private func brokenOff(_ status: CurlStatus, _ refusal: TLSRefusal) -> TransportFailure? {
    let alert = TLSAlert(words: status.detail)
    let showsCertificate = ask.route.trust.client != nil
    // Known of connections that this request has made.
    let isAsked = judge?.hasHeardDemand == true
    switch status.code {
    case CURLE_SSL_CLIENTCERT:
      return refusal.clientRefused(alert, showsCertificate: showsCertificate)
    case CURLE_SSL_CONNECT_ERROR, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2:
      if let alert,
        alert.asksForCertificate || alert.isAboutClientCertificate && (showsCertificate || isAsked)
          || alert.isHandshakeFailure && isAsked && !showsCertificate
      {
        return refusal.clientRefused(
          alert, showsCertificate: showsCertificate, isAnswered: reader.count > 0)
      }
      guard status.code != CURLE_SSL_CONNECT_ERROR else { break }
      fallthrough
    case CURLE_GOT_NOTHING:
      // A peer that closes a connection at once may lose its last answer (RFC 9112 section 9.6).
      guard isAsked, !showsCertificate, hasBegun, reader.count == 0 else { return nil }
      return refusal.brokenOffUnshown()
    default:
      return nil
    }
    guard TLSFailure(words: status.detail) != nil else {
      return nil
    }
    return refusal.protocolFailure(alert)
  }
}
