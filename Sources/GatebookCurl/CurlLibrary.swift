internal import CCurl
internal import GatebookEvents

/// libcurl, opened: the table of its functions, and its variadic calls by type of argument.
///
/// Opening it again is cheap: the dynamic linker and libcurl count.
final class CurlLibrary {
  /// 7.85 brought `CURLOPT_PROTOCOLS_STR`, 7.84 the thread-safe `curl_global_init`.
  private static let oldestVersion: UInt32 = 0x07_55_00

  let functions: UnsafePointer<curl_functions>
  /// Where certificates can be judged within the handshake; `nil` without the machine's OpenSSL.
  let handshake: HandshakeHook?

  private init(_ functions: UnsafePointer<curl_functions>, _ handshake: HandshakeHook?) {
    self.functions = functions
    self.handshake = handshake
  }

  deinit {
    functions.deallocate()
  }

  /// Opens libcurl by its file name.
  static func open(_ name: String) throws(GatebookError) -> CurlLibrary {
    let functions = UnsafeMutablePointer<curl_functions>.allocate(capacity: 1)
    functions.initialize(to: curl_functions())
    if let reason = curl_functions_open(functions, name) {
      functions.deallocate()
      throw missing(String(cString: reason))
    }
    let library = CurlLibrary(UnsafePointer(functions), HandshakeHook(name))
    try library.check()
    return library
  }

  private func check() throws(GatebookError) {
    guard functions.pointee.curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK,
      let version = functions.pointee.curl_version_info(CURLVERSION_FIRST)
    else { throw Self.missing("curl_global_init failed") }
    guard version.pointee.version_num >= Self.oldestVersion else {
      throw Self.missing("libcurl \(String(cString: version.pointee.version)) is too old")
    }
  }

  private static func missing(_ cause: String) -> GatebookError {
    GatebookError(
      .configurationInvalid, "libcurl 7.85 or newer is needed and could not be opened.",
      kept: GatebookError.sessionKept,
      remedy: "Install it: apt install libcurl4 (from Debian 13 on: libcurl4t64).", cause: cause)
  }

  // MARK: Options

  func set(
    _ easy: UnsafeMutableRawPointer, _ option: CURLoption, _ value: Int
  ) throws(CurlStatus) {
    try check(curl_set_long(functions, easy, option, value))
  }

  func set(
    _ easy: UnsafeMutableRawPointer, _ option: CURLoption, size: Int
  ) throws(CurlStatus) {
    try check(curl_set_size(functions, easy, option, curl_off_t(size)))
  }

  /// Sets a text, which libcurl copies; `nil` takes the setting back.
  func set(
    _ easy: UnsafeMutableRawPointer, _ option: CURLoption, _ text: String?
  ) throws(CurlStatus) {
    guard let text else { return try set(easy, option, pointer: nil) }
    try check(text.withCString { curl_set_pointer(functions, easy, option, $0) })
  }

  func set(
    _ easy: UnsafeMutableRawPointer, _ option: CURLoption, pointer: UnsafeRawPointer?
  ) throws(CurlStatus) {
    try check(curl_set_pointer(functions, easy, option, pointer))
  }

  func set(
    _ easy: UnsafeMutableRawPointer, _ option: CURLoption, _ receiver: @escaping curl_receiver
  ) throws(CurlStatus) {
    try check(curl_set_receiver(functions, easy, option, receiver))
  }

  func setPrerequest(
    _ easy: UnsafeMutableRawPointer, _ callback: @escaping curl_prereq_callback
  ) throws(CurlStatus) {
    try check(curl_set_prerequest(functions, easy, callback))
  }

  func setHandshake(
    _ easy: UnsafeMutableRawPointer, _ callback: @escaping curl_ssl_ctx_callback
  ) throws(CurlStatus) {
    try check(curl_set_tls_start(functions, easy, callback))
  }

  /// Throws for every code but `CURLE_OK`.
  private func check(_ code: CURLcode) throws(CurlStatus) {
    guard code == CURLE_OK else { throw status(code) }
  }

  /// A code with libcurl's own words for it.
  func status(_ code: CURLcode, detail: String = "") -> CurlStatus {
    let words = functions.pointee.curl_easy_strerror(code).map { String(cString: $0) } ?? ""
    return CurlStatus(code: code, words: words, detail: detail)
  }
}
