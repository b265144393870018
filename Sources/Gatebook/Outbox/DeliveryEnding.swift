/// How one delivery to a server ended.
enum DeliveryEnding {
  /// The server has heard, with this status.
  case done(status: Int)
  /// It has not: why, and how long it wants to be left alone.
  case failed(GatebookError?, status: Int?, retryAfter: Duration?)

  /// Whether trying again cannot help: the server has answered, and refuses.
  var isRefusal: Bool {
    guard case .failed(nil, let status?, _) = self else { return false }
    return (400..<500).contains(status) && ![407, 408, 425, 429].contains(status)
  }

  /// What the log tells of it.
  var facts: Facts {
    switch self {
    case .done(let status): ["status": .integer(Int64(status))]
    case .failed(let error, let status, _):
      [
        "code": error.map { .text($0.code.rawValue) },
        "status": .optional(status.map { Int64($0) }),
      ]
    }
  }
}
