/// What a book does outside of itself; each comes in when it is opened.
struct Effects: Sendable {
  /// Sends requests.
  let transport: any Transport
  /// Which domains are public suffixes; `nil`: a cookie's domain must be the host.
  let suffixes: (any PublicSuffixes)?
  /// The time.
  let clock: any BookClock
  /// Keys, nonces and identities.
  let random: any RandomSource
}
