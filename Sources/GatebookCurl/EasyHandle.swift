internal import CCurl
internal import GatebookAuthentication

/// An easy handle of libcurl, which may serve one transfer after the other.
///
/// To make and configure one for each request takes longer than to set what is the request's own.
final class EasyHandle {
  /// What of a handle's settings is the same for all requests that it can serve.
  ///
  /// The rest is set for each: the URL, the method, the header and who hears of the answer.
  struct Fit: Equatable {
    private let origin: Origin
    private let connect: Duration

    /// `nil` for a request with a setting that no later one may find: its handle serves no other.
    init?(_ request: HTTPRequest, _ proxy: CurlTransport.Proxy) {
      guard request.source == nil, request.body.isEmpty,
        !["HEAD", "POST", "PUT", "PATCH"].contains(request.method),
        proxy.address(for: request.url.origin) == nil
      else { return nil }
      origin = request.url.origin
      connect = request.limits.connect
    }
  }

  let pointer: UnsafeMutableRawPointer
  /// What it has been configured for.
  let fit: Fit?
  /// The server that it asks, as the beginning of a URL.
  let server: String
  /// libcurl's words for what went wrong.
  let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private let library: CurlLibrary

  init(
    _ library: CurlLibrary, for fit: Fit?, at server: Origin
  ) throws(CurlStatus) {
    guard let pointer = library.functions.pointee.curl_easy_init() else {
      words.deallocate()
      throw library.status(CURLE_OUT_OF_MEMORY)
    }
    self.pointer = pointer
    self.fit = fit
    self.server = server.description
    self.library = library
    words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    library.functions.pointee.curl_easy_cleanup(pointer)
    words.deallocate()
  }

  /// What is a request's own: its texts, and the transfer that hears of the answer.
  private static let settingsOfRequest = [
    CURLOPT_URL, CURLOPT_REQUEST_TARGET, CURLOPT_CUSTOMREQUEST, CURLOPT_HTTPHEADER,
    CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_PREREQDATA,
  ]

  /// Takes back what is a request's own; says whether libcurl did.
  func clear() -> Bool {
    words.pointee = 0
    do throws(CurlStatus) {
      for setting in Self.settingsOfRequest {
        try library.set(pointer, setting, pointer: nil)
      }
      // Without the handshake's functions nobody has set it, and libcurl may not know it.
      if library.handshake != nil { try library.set(pointer, CURLOPT_SSL_CTX_DATA, pointer: nil) }
      return true
    } catch {
      return false
    }
  }
}
