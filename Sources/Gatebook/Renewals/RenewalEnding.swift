/// How a renewal ended, and what the login delegate is to hear of a login that took its place.
struct RenewalEnding: Sendable {
  let result: Result<Void, GatebookError>
  let news: [LoginNews]
}
