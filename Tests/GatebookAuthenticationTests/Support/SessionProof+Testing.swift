internal import GatebookAuthentication
internal import GatebookEvents

extension SessionProof {
  /// The request with this session's authority; every random byte is 7.
  func authorise(_ request: HTTPRequest, jar: CookieJar, at moment: Moment) -> HTTPRequest {
    authorise(request, jar: jar, at: moment, random: [UInt8](repeating: 7, count: 64))
  }
}
