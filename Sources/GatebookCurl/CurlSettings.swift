/// What holds for all requests of one transport.
struct CurlSettings: Sendable {
  /// The `User-Agent` of requests that bring none.
  var userAgent: String?
  /// Which proxy requests take.
  var proxy: CurlTransport.Proxy
  /// The file name by which the dynamic linker finds libcurl.
  var library = "libcurl.so.4"
  /// How many routes keep idle connections.
  var pools = 64
  /// How long the thread and its idle connections stay without a request.
  var quiet = Duration.seconds(60)
}
