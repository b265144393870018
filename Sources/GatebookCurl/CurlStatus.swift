internal import CCurl
internal import GatebookAuthentication
internal import GatebookEvents

/// A code of libcurl that is not success, with its words.
struct CurlStatus: Error {
  let code: CURLcode
  /// libcurl's fixed words for the code.
  let words: String
  /// libcurl's words for this one case; they may quote the peer.
  let detail: String
  /// Whether the server had accepted a connection that was then to speak TLS, and did not yet.
  var lacksTLS = false

  /// What the caller gets.
  ///
  /// - Parameters:
  ///   - origin: The server that was asked.
  ///   - delivery: Whether it may have seen the request.
  ///   - proxy: The proxy on the way, as people may see it.
  /// - Returns: The failure.
  func failure(
    _ origin: Origin, _ delivery: TransportFailure.Delivery, through proxy: String? = nil
  ) -> TransportFailure {
    let place = "\(origin)\(proxy.map { " through the proxy \($0)" } ?? "")"
    let kept = GatebookError.sessionKept
    let error =
      description(of: origin, delivery).map { failureCode, message, remedy in
        GatebookError(failureCode, message, kept: kept, remedy: remedy, cause: cause)
      }
      ?? GatebookError(
        .networkUnreachable, fault(delivery), of: place, kept: kept,
        remedy: remedy(delivery), cause: cause)
    return TransportFailure(error, delivery: delivery)
  }

  /// How far the request came.
  private func fault(_ delivery: TransportFailure.Delivery) -> Fault {
    switch (code, delivery) {
    case (CURLE_COULDNT_RESOLVE_HOST, _): .connectName
    case (CURLE_COULDNT_RESOLVE_PROXY, _): .connectProxy
    case (CURLE_OPERATION_TIMEDOUT, .notSent): lacksTLS ? .connectTLS : .connectTime
    case (CURLE_OPERATION_TIMEDOUT, .maybeSent): .answerTime
    case (_, .notSent): .connect
    case (_, .maybeSent): .answerCut
    }
  }

  /// What is not about the way to the server.
  private func description(
    of origin: Origin, _ delivery: TransportFailure.Delivery
  ) -> (FailureCode, String, String)? {
    switch code {
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      (
        .tlsUntrusted, "The certificate of \(origin) is not trusted.",
        "Check the address; if the server is your own, trust the authority that signed it."
      )
    case CURLE_SSL_CACERT_BADFILE:
      (
        .configurationInvalid, "The authorities to trust for \(origin) cannot be read.",
        "Name a readable PEM file of certificates."
      )
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
      (.contentUnexpected, "\(origin) does not answer with valid HTTP.", Self.checkAddress)
    case CURLE_UNSUPPORTED_PROTOCOL where delivery == .maybeSent:
      (.contentUnexpected, "\(origin) does not answer with HTTP.", Self.checkAddress)
    case CURLE_OUT_OF_MEMORY where delivery == .maybeSent, CURLE_FILESIZE_EXCEEDED:
      (.limitExceeded, "The answer of \(origin) is too large.", "Ask for less.")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_FAILED_INIT, CURLE_URL_MALFORMAT, CURLE_NOT_BUILT_IN,
      CURLE_BAD_FUNCTION_ARGUMENT, CURLE_UNKNOWN_OPTION, CURLE_OUT_OF_MEMORY:
      (
        .configurationInvalid, "libcurl cannot make the request to \(origin).",
        "Check the address, the proxy and the installed libcurl."
      )
    default: nil
    }
  }

  private static let checkAddress = "Check that the address is that of a web server."

  private func remedy(_ delivery: TransportFailure.Delivery) -> String {
    switch delivery {
    case .notSent where lacksTLS:
      "Check the address: a server for `http` does not answer `https`. If it is right, try again later."
    case .notSent: "Check the network, then try again."
    case .maybeSent: "Try again later; the server may have acted on the request."
    }
  }

  /// libcurl's own words if they are about names, addresses and certificates only.
  ///
  /// In every other case they are fixed, so that no text of a server and no part of a request gets
  /// into an error.
  var cause: String {
    let speaksOfConnection = [
      CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_OPERATION_TIMEDOUT,
      CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION,
    ].contains(code)
    return "libcurl \(code.rawValue): \(speaksOfConnection && !detail.isEmpty ? detail : words)"
  }
}
