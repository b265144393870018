/// Why a session is renewed; stands in `refresh.started`.
enum RenewalTrigger: String {
  /// Its known life is nearly over.
  case early
  /// The server did not take its authority.
  case refused = "401"
}
