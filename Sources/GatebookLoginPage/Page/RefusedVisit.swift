internal import Gatebook

/// A visit of the login page that was refused.
struct RefusedVisit: Sendable {
  /// Why.
  let reason: VisitRefused.Reason
  /// The name of the program; `nil` where it is not known.
  let program: String?
}
