/// A login that is in the book, and what its delegate is still to hear of it.
struct LoggedIn: Sendable {
  let context: SessionContext
  /// In this order; empty where somebody else was faster.
  var news: [LoginNews] = []
}
