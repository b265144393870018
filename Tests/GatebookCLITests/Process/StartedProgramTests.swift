internal import GatebookSystem
internal import Glibc
internal import Testing

/// Programs that Gatebook starts, such as pagers and browsers.
struct StartedProgramTests {
  @Test func `a program hears the signals that the thread which starts it blocks`() throws {
    let pipe = try #require(Pipe())
    defer { FileDescriptor.close(pipe.output) }
    let thread = try PosixThread {
      SignalAction.leaveToOthers()
      let program = GatebookSystem.ChildProcess(
        "/bin/sh", ["sh", "-c", "exec grep ^Sig[BI] /proc/self/status"],
        streams: [.nothing, .descriptor(pipe.input), .nothing])
      FileDescriptor.close(pipe.input)
      program?.wait()
    }
    thread.join()
    let told = String(decoding: FileDescriptor.read(pipe.output, atMost: 4096) ?? [], as: UTF8.self)
    #expect(told.contains("SigBlk:\t0000000000000000\n"), "\(told)")
    let ignored = told.firstMatch(of: /SigIgn:\t([0-9a-f]+)/).flatMap { UInt64($0.1, radix: 16) }
    #expect(ignored.map { $0 & (1 << (SIGPIPE - 1)) } == 0, "\(told)")
  }
}
