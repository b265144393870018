/// What a check of a server's signed word came to.
package enum IDTokenVerdict<Content: Sendable>: Sendable {
  /// Every rule was kept.
  case accepted(Content)
  /// The key is none of those at hand: fetch the issuer's keys once more and check again; if it is
  /// unknown still, the error is that of ``JSONWebTokenRefusal/unknownKey``.
  case unknownKey
  /// A rule was broken.
  case refused(IDTokenRefusal)

  init(_ check: () throws(IDTokenRefusal) -> Content) {
    do throws(IDTokenRefusal) {
      self = .accepted(try check())
    } catch .token(.unknownKey) {
      self = .unknownKey
    } catch {
      self = .refused(error)
    }
  }
}

extension IDTokenVerdict: Equatable where Content: Equatable {}
