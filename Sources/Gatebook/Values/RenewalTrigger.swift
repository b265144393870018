/// Why a session is renewed, as `refresh.started` records it.
enum RenewalTrigger: String {
  /// Its known life is nearly over.
  case early
  /// It is over, or so nearly that a request waits for the renewal.
  case needed
  /// The server does not say whether its access token is good.
  case undecided
  /// Somebody asked for it.
  case asked
  /// Somebody asked for it even though what would be sent may be used up.
  case insisted
  /// The server did not take its authority.
  case refused = "401"

  /// Whether somebody asked: then waits of our own hold nothing back.
  var isAsked: Bool { self == .asked || self == .insisted }
}
