/// How one delivery to a server ended.
enum DeliveryEnding {
  /// The server has heard, with this status.
  case done(status: Int)
  /// It has not: why, and how long it wants to be left alone.
  case failed(GatebookError?, status: Int?, retryAfter: Duration?)

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
