import GatebookFakes
import Glibc
import Testing

@testable import Gatebook

/// What a machine does to a thread that waits: signals, and no descriptors left.
@Suite struct LoopbackThreadTests {
  /// A listening thread, and what it has heard.
  private struct Listening {
    let thread: LoopbackThread
    let port: UInt16
    let heard: TestBox<[pthread_t]>
    /// Brings a byte for each redirect: a visitor is answered before the listener hears of it.
    private let news: Int32

    init() throws {
      let address = try #require(LoopbackAddress("http://127.0.0.1:0/callback"))
      let (socket, port) = try address.listen()
      let heard = TestBox<[pthread_t]>([])
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      news = ends[0]
      let tell = ends[1]
      thread = try LoopbackThread(socket, path: Array("/callback".utf8)) { _, page in
        page.answer()
        heard.withLock { $0.append(pthread_self()) }
        write(tell, [1], 1)
      }
      self.port = port
      self.heard = heard
    }

    /// Visits, and waits until the listener has heard of it.
    func visit() throws {
      try #require(try Visitor(port).answer() == "HTTP/1.1 200 OK")
      var byte: UInt8 = 0
      try #require(read(news, &byte, 1) == 1)
    }
  }

  /// A browser that has sent its request and has not read the answer.
  private final class Visitor {
    private let socket: Int32

    init(_ port: UInt16) throws {
      socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      try #require(socket >= 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isConnected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(socket, $0, size) == 0
        }
      }
      try #require(isConnected)
      let request = Array("GET /callback?code=x HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
      try #require(send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count)
    }

    deinit { close(socket) }

    /// The answer's first line; `nil` when none comes within ten seconds.
    func answer() -> String? {
      var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 10_000) > 0 else { return nil }
      var bytes = [UInt8](repeating: 0, count: 1024)
      let count = recv(socket, &bytes, bytes.count, 0)
      guard count > 0 else { return nil }
      return String(decoding: bytes[..<count].prefix { $0 != 13 }, as: UTF8.self)
    }
  }

  @Test func `signals do not end it`() async throws {
    await #expect(processExitsWith: .success) {
      // The threads that tests run on block nearly all signals, and a new thread does as its maker.
      var open = sigset_t()
      sigemptyset(&open)
      pthread_sigmask(SIG_SETMASK, &open, nil)
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in }
      sigaction(SIGUSR1, &action, nil)
      let listening = try Listening()
      try listening.visit()
      let thread = try #require(listening.heard.value.first)
      // The first ones may come before it waits, the others meet it there.
      for _ in 0..<2000 {
        pthread_kill(thread, SIGUSR1)
        sched_yield()
      }
      try listening.visit()
      try #require(listening.heard.value.count == 2)
      listening.thread.stop()
    }
  }

  @Test func `out of descriptors it waits without a turn, and then answers`() async throws {
    await #expect(processExitsWith: .success) {
      let listening = try Listening()
      try #require(try Visitor(listening.port).answer() == "HTTP/1.1 200 OK")
      var limit = rlimit(rlim_cur: 128, rlim_max: 128)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      var taken: [Int32] = []
      while true {
        let descriptor = Glibc.open("/dev/null", O_RDONLY)
        if descriptor < 0 { break }
        taken.append(descriptor)
      }
      try #require(errno == EMFILE)
      // The visitor's own descriptor is the last one there was.
      close(taken.removeLast())
      let visitor = try Visitor(listening.port)
      let before = clock()
      _ = poll(nil, 0, 600)
      // A loop without a wait would take the whole 600 ms, or what other programs leave of it.
      try #require(clock() - before < 30_000)
      for descriptor in taken { close(descriptor) }
      try #require(visitor.answer() == "HTTP/1.1 200 OK")
      listening.thread.stop()
    }
  }
}
