internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// Command lines of `gatebook exec` that start no program.
struct ExecRefusalTests {
  private let at: ExecScene

  init() throws {
    at = try ExecScene()
  }

  @Test(arguments: [
    (["--env", ""], "`--env` needs"), (["--env="], "`--env` needs"),
    (["--env", "A=B"], "has no `=`"),
    (["--env=A=B"], "has no `=`"), (["--file", "="], "`--file` needs"),
    (["--env", "PATH"], "start"),
    (["--file", "LD_PRELOAD"], "start"), (["--fd", "0"], "`--fd` must be"),
    (["--fd", "1"], "`--fd` must be"), (["--fd", "2"], "`--fd` must be"),
    (["--fd", "-1"], "`--fd` must be"), (["--fd", "99999999999999999999"], "`--fd` must be"),
    (["--fd", "2147483648"], "`--fd` must be"), (["--fd", "x"], "`--fd` must be"),
    (["--fd", ""], "`--fd` must be"), (["--env", "A", "--fd", "3"], "cannot be combined"),
    (["--env", "A", "--file", "B"], "cannot be combined"), ([], "Add `--file NAME`"),
    (["--env", "A", "--min-lifetime", "x"], "`--min-lifetime` must be"),
  ])
  func `a place that cannot be used is refused, and nothing is started`(
    _ options: [String], _ message: String
  ) throws {
    let ending = try at.start(options, "echo started").end()
    #expect(ending.exit == 2)
    #expect(ending.output.isEmpty)
    #expect(ending.errors.contains(message), "\(ending.errors)")
    #expect(try at.leftovers().isEmpty)
  }

  @Test func `a descriptor that is open already is refused`() throws {
    let streams = ChildProcess.Streams(shell: #"exec 7<"$1" "$@""#)
    let ending = try at.start(TokenWay.fd.options, "echo started", streams).end()
    #expect(ending.exit == 2)
    #expect(ending.output.isEmpty)
    #expect(ending.errors.contains("open already"), "\(ending.errors)")
  }

  @Test func `the highest descriptor can be used, and the next one is refused`() throws {
    let streams = ChildProcess.Streams(shell: #"ulimit -n 256; exec "$@""#)
    let ending = try at.start(["--fd", "255"], "cat /dev/fd/255", streams).end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output == (try at.token()))
    let other = try at.start(["--fd", "256"], "echo started", streams).end()
    #expect(other.exit == 2)
    #expect(other.errors.contains("from 3 to 255"), "\(other.errors)")
  }

  /// Numbers that Gatebook itself has in use, such as those of its pipes.
  @Test(arguments: [3, 4, 5, 6, 8])
  func `a number that gatebook uses itself can be used`(_ number: Int) throws {
    let ending = try at.start(
      ["--fd", "\(number)"], "cat /dev/fd/\(number)", ChildProcess.Streams(shell: ExecScene.closing)
    ).end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output == (try at.token()))
  }

  @Test(arguments: [
    (["exec", "--env", "A"], "needs `--`"), (["exec", "--env", "A", "work"], "needs `--`"),
    (["exec", "--env", "A", "--"], "needs a program after `--`"),
    (["exec", "--env", "A", "work", "ls", "--", "ls"], "takes only these arguments"),
  ])
  func `a line without a program is refused`(_ line: [String], _ message: String) throws {
    let ending = try at.scene.start(line).end()
    #expect(ending.exit == 2)
    #expect(ending.errors.contains(message), "\(ending.errors)")
  }

  @Test(arguments: TokenWay.allCases)
  func `a program that does not exist or cannot run is 127 or 126, and no token is requested`(
    _ way: TokenWay
  ) throws {
    let plain = try at.scene.secretFile("echo no")
    let requests = at.server.requests.count
    let lines = [
      ("no-such-program", 127), ("./no-such-program", 127), ("", 127), ("/dev/null/x", 127),
      (plain, 126), (at.scene.folder, 126), ("/", 126),
    ]
    for (program, exit) in lines {
      let ending = try at.start(way.options + ["--min-lifetime", "3600"], program: [program]).end()
      #expect(ending.exit == Int32(exit), "\(program): \(ending.errors)")
      #expect(ending.errors.contains("The program was not started."), "\(ending.errors)")
    }
    #expect(at.server.requests.count == requests)
    #expect(try at.leftovers().isEmpty)
  }

  @Test(arguments: TokenWay.allCases)
  func `a file that only the system finds unfit is 126, and nothing is left`(_ way: TokenWay) throws
  {
    let path = try at.scene.secretFile("#!/no/such/interpreter\n")
    #expect(chmod(path, 0o700) == 0)
    let ending = try at.start(way.options, program: [path]).end()
    #expect([126, 127].contains(ending.exit), "\(ending.errors)")
    #expect(ending.errors.contains("cannot be run"), "\(ending.errors)")
    #expect(try at.leftovers().isEmpty)
  }

  @Test(arguments: TokenWay.allCases)
  func `without a token the program is not started, and the exit is that of token`(
    _ way: TokenWay
  ) throws {
    at.server.stop()
    let offline = try at.start(way.options + ["--min-lifetime", "3600"], "echo started").end()
    #expect(offline.exit == 4)
    #expect(offline.output.isEmpty)
    try at.server.start()
    #expect(try at.scene.run("logout").exit == 0)
    let ending = try at.start(["work"] + way.options, "echo started").end()
    #expect(ending.exit == 3)
    #expect(ending.output.isEmpty)
    #expect(ending.errors.contains("`gatebook login"), "\(ending.errors)")
    #expect(try at.leftovers().isEmpty)
  }

  @Test func `options after the double dash are the program's`() throws {
    let ending = try at.start(
      ["--env", "A"], program: ["printf", "%s\n", "--json", "--help", "-q", "--", "--env"]
    ).end()
    #expect(ending.output == "--json\n--help\n-q\n--\n--env\n", "\(ending.errors)")
  }
}
