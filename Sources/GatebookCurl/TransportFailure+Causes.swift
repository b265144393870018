internal import GatebookAuthentication
internal import GatebookEvents

extension TransportFailure {
  /// The caller cancelled.
  static func cancelled(_ origin: Origin, _ delivery: Delivery) -> TransportFailure {
    let remedy =
      switch delivery {
      case .notSent: "Send it again when it is wanted: it was not sent."
      case .maybeSent: "The server may have acted on it all the same."
      }
    return TransportFailure(
      GatebookError(
        .cancelled, "The request to \(origin) was cancelled.", kept: GatebookError.sessionKept,
        remedy: remedy),
      delivery: delivery)
  }

  /// The answer passed a limit of its request.
  static func exceeded(_ breach: ReplyReader.Breach, _ request: HTTPRequest) -> TransportFailure {
    let limit: String
    switch breach {
    case .header: limit = "header of more than \(request.limits.header) bytes"
    case .body: limit = "body of more than \(request.limits.body) bytes"
    case .sink(let error): return TransportFailure(error, delivery: .maybeSent)
    }
    return TransportFailure(
      GatebookError(
        .limitExceeded, .answerSize, of: "\(request.url.origin)", "It has a \(limit).",
        kept: GatebookError.sessionKept, remedy: "Ask for less at once, or ask who runs the server."
      ),
      delivery: .maybeSent)
  }

  /// One line of the header is longer than libcurl takes (`CURL_MAX_HTTP_HEADER`).
  static func exceededLine(_ origin: Origin) -> TransportFailure {
    TransportFailure(
      GatebookError(
        .limitExceeded, .answerSize, of: "\(origin)", "It has a header line of more than 100 KiB.",
        kept: GatebookError.sessionKept,
        remedy: "Ask who runs the server: clients do not accept that."),
      delivery: .maybeSent)
  }

  /// The answer's status is none of HTTP's final ones.
  static func strangeStatus(_ status: Int, _ origin: Origin) -> TransportFailure {
    TransportFailure(
      GatebookError(
        .contentUnexpected, "\(origin) answered with the status \(status).",
        kept: GatebookError.sessionKept, remedy: "Check that the address is that of a web server."),
      delivery: .maybeSent)
  }
}
