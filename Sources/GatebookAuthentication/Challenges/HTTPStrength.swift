/// How well a scheme guards the password, in rising order; the strongest on offer is used.
enum HTTPStrength: Comparable, Sendable {
  case basic
  case digest(DigestHash)
}
