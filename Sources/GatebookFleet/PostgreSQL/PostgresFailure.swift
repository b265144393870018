/// Why PostgreSQL did not do something.
struct PostgresFailure: Error {
  /// Where it failed.
  enum Place {
    /// While the connection was made.
    case connecting
    /// On a connection that is still good.
    case statement
    /// The connection broke, or nothing came over it in time.
    case connection
    /// The task was cancelled.
    case cancelled
  }

  let place: Place
  /// The five characters of "PostgreSQL Error Codes" (appendix A); `nil` where no server answered.
  var state: String?
  /// The server's or libpq's own words, cut and without control characters.
  let message: String

  init(_ place: Place, state: String? = nil, _ message: String) {
    self.place = place
    self.state = state
    self.message = String(
      String.UnicodeScalarView(message.unicodeScalars.filter { $0.value >= 0x20 }.prefix(300)))
  }

  /// The two characters that name the class of the code.
  var kind: String? { state.map { String($0.prefix(2)) } }

  /// Whether the same can succeed a moment later, and nothing of it was done.
  var isTransient: Bool {
    switch place {
    case .connection: true
    case .cancelled: false
    case .connecting, .statement:
      switch state {
      // Serialization failure, deadlock, lock timeout; another shipper was faster.
      case "40001", "40P01", "55P03", "23505": true
      // Shutting down, crashed, starting up, too many connections.
      case "57P01", "57P02", "57P03", "53300": true
      case nil: place == .connecting
      default: kind == "08"
      }
    }
  }
}
