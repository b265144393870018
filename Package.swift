// swift-tools-version: 6.2
import PackageDescription

// Set by tools/test and whoever works on Gatebook. A newer compiler may warn of more, and that must
// not break a package that depends on this one; SwiftPM does not tell a manifest whether it is the
// root's.
let isStrict = Context.environment["GATEBOOK_STRICT"] != nil

let strict: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])

// Set by tools/packaging/build: the code that is not measured by its speed takes less room. SwiftPM
// allows no such flag in what another package depends on, so no other build has it.
let isSmall = Context.environment["GATEBOOK_SMALL"] != nil
// The same build knows only the functions for texts of TextSearch: those of the standard library
// would make the command 1.3 MB larger.
let shipped: [SwiftSetting] =
  isSmall
  ? [.unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])] : []
let small: [SwiftSetting] = shipped + (isSmall ? [.unsafeFlags(["-Osize"])] : [])

func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = shipped
) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict + settings)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
  resources: [Resource] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, exclude: exclude, resources: resources,
    swiftSettings: strict)
}

let package = Package(
  name: "gatebook",
  products: [
    .library(name: "Gatebook", targets: ["Gatebook"]),
    .library(name: "GatebookCurl", targets: ["GatebookCurl"]),
    .library(name: "GatebookFleet", targets: ["GatebookFleet"]),
    .library(name: "GatebookFoundation", targets: ["GatebookFoundation"]),
    .library(name: "GatebookLoginPage", targets: ["GatebookLoginPage"]),
    .library(name: "GatebookObservation", targets: ["GatebookObservation"]),
    .library(name: "GatebookSecretService", targets: ["GatebookSecretService"]),
    .library(name: "GatebookTestSupport", targets: ["GatebookTestSupport"]),
    .library(name: "GatebookFakes", targets: ["GatebookFakes"]),
    .executable(name: "gatebook", targets: ["GatebookCLI"]),
    .executable(name: "gatebook-demo-servers", targets: ["GatebookDemoServers"]),
    .executable(name: "PreemptiveLogin", targets: ["PreemptiveLogin"]),
    .executable(name: "RememberMe", targets: ["RememberMe"]),
  ],
  targets: [
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    // No system library: it has a line of C that must run before anything else of libcrypto.
    .target(name: "COpenSSL"),
    .systemLibrary(name: "COpenSSLTLS", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CPublicSuffix", providers: [.apt(["libpsl-dev"])]),
    .systemLibrary(name: "CPostgreSQL", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CQRCode", providers: [.apt(["libqrencode-dev"])]),
    // Declares what it calls: pkgConfig, which alone finds libsecret's headers, would also link it.
    .systemLibrary(name: "CSecret"),

    module("GatebookEvents"),
    module("GatebookSystem", ["GatebookEvents", "CLinux"]),
    module("GatebookCrypto", ["COpenSSL"]),
    .target(
      name: "GatebookMigrations", path: "Migrations", exclude: ["Fleet"],
      resources: [
        .embedInCode("M0001_event_log.sql"), .embedInCode("M0002_attempts.sql"),
        .embedInCode("M0003_rollups.sql"), .embedInCode("M0004_care.sql"),
        .embedInCode("M0005_continuation.sql"), .embedInCode("M0006_documents.sql"),
        .embedInCode("M0007_packed_snapshots.sql"),
        .embedInCode("M0008_account_clients.sql"), .embedInCode("M0009_pulled_books.sql"),
      ],
      swiftSettings: strict),
    .target(
      name: "GatebookFleetMigrations", path: "Migrations/Fleet",
      resources: [
        .embedInCode("F0001_fleet.sql"), .embedInCode("F0002_shipping.sql"),
        .embedInCode("F0003_asking.sql"), .embedInCode("F0004_forgetting.sql"),
        .embedInCode("F0005_roles.sql"),
      ],
      swiftSettings: strict),
    module(
      "GatebookStore",
      ["GatebookEvents", "GatebookSystem", "GatebookCrypto", "GatebookMigrations", "CSQLite"]),
    module(
      "GatebookAuthentication", ["GatebookEvents", "GatebookCrypto", "GatebookSystem"],
      settings: small),
    module(
      "Gatebook",
      [
        "GatebookEvents", "GatebookSystem", "GatebookCrypto", "GatebookStore",
        "GatebookAuthentication",
      ],
      // The rooms of a book are classes that its actor owns: their methods run in its isolation.
      settings: small + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    module(
      "GatebookCurl",
      [
        "Gatebook", "GatebookAuthentication", "GatebookEvents", "GatebookSystem", "CCurl",
        "COpenSSL", "CPublicSuffix",
      ]),
    module(
      "GatebookFleet",
      [
        "Gatebook", "GatebookStore", "GatebookEvents", "GatebookCrypto", "GatebookSystem",
        "GatebookFleetMigrations", "CPostgreSQL",
      ],
      settings: small),
    // The only shipped module that imports Foundation.
    module("GatebookFoundation", ["Gatebook"]),
    module("GatebookObservation", ["Gatebook"]),
    module(
      "GatebookSecretService",
      ["GatebookStore", "GatebookEvents", "GatebookCrypto", "GatebookSystem", "CSecret"]),
    module("GatebookTestSupport", ["Gatebook", "GatebookSystem"], settings: []),
    module(
      "GatebookFakes",
      ["Gatebook", "GatebookCrypto", "GatebookSystem", "GatebookTestSupport", "COpenSSLTLS"],
      settings: []),
    module("GatebookProxy", ["Gatebook", "GatebookSystem"]),
    .target(
      name: "GatebookLoginPage",
      dependencies: ["Gatebook", "GatebookProxy", "GatebookCrypto", "GatebookSystem"],
      resources: [.embedInCode("Themes/default"), .embedInCode("Themes/flat7")],
      swiftSettings: strict + small),
    .executableTarget(
      name: "GatebookCLI",
      dependencies: [
        "Gatebook", "GatebookCurl", "GatebookFleet", "GatebookLoginPage", "GatebookProxy",
        "GatebookSecretService", "GatebookSystem", "CQRCode",
      ],
      resources: [.embedInCode("Report/Page")],
      swiftSettings: strict + small),
    .executableTarget(
      name: "GatebookDemoServers", dependencies: ["Gatebook", "GatebookFakes", "GatebookSystem"],
      swiftSettings: strict),
    .executableTarget(
      name: "GatebookBench",
      dependencies: [
        "GatebookStore", "GatebookEvents", "GatebookCrypto", "GatebookSystem",
        "GatebookTestSupport", "Gatebook", "GatebookCurl", "GatebookAuthentication",
        "GatebookProxy", "GatebookFleet",
      ],
      swiftSettings: strict),

    module(
      "SampleStage", ["Gatebook", "GatebookCurl", "GatebookFakes", "GatebookSystem"], settings: []),
    .executableTarget(
      name: "PreemptiveLogin", dependencies: ["SampleStage", "Gatebook", "GatebookSystem"],
      swiftSettings: strict),
    .executableTarget(
      name: "RememberMe", dependencies: ["SampleStage", "Gatebook", "GatebookSystem"],
      swiftSettings: strict),

    .target(
      name: "FaultyDisk", dependencies: ["CSQLite"], path: "Tests/FaultyDisk",
      swiftSettings: strict),
    .target(
      name: "RecordCorpus", dependencies: ["GatebookEvents"], path: "Tests/RecordCorpus",
      swiftSettings: strict),
    .executableTarget(
      name: "CrashingWriter",
      dependencies: ["GatebookStore", "GatebookEvents", "GatebookCrypto", "FaultyDisk"],
      path: "Tests/CrashingWriter", swiftSettings: strict),
    .executableTarget(
      name: "RouteDrop", dependencies: ["Gatebook"], path: "Tests/RouteDrop",
      swiftSettings: strict),
    tests(
      "GatebookEventsTests", ["GatebookEvents", "GatebookTestSupport"],
      exclude: ["Corpus/events-1.txt"]),
    tests("GatebookCryptoTests", ["GatebookCrypto"]),
    tests(
      "GatebookStoreTests",
      [
        "GatebookStore", "GatebookEvents", "GatebookSystem", "GatebookCrypto",
        "GatebookMigrations", "FaultyDisk", "CrashingWriter", "CSQLite", "Gatebook", "GatebookCurl",
        "GatebookFakes",
        "GatebookTestSupport",
      ]),
    tests(
      "GatebookAuthenticationTests",
      ["GatebookAuthentication", "GatebookEvents", "GatebookTestSupport", "RecordCorpus"],
      exclude: ["Records/records-1.txt"], resources: [.embedInCode("Fixtures")]),
    tests(
      "GatebookTests",
      [
        "Gatebook", "GatebookStore", "GatebookCurl", "GatebookFakes", "GatebookObservation",
        "GatebookTestSupport", "RecordCorpus", "RouteDrop",
      ],
      exclude: ["Records/records-1.txt"]),
    tests(
      "GatebookFoundationTests",
      ["GatebookFoundation", "Gatebook", "GatebookTestSupport"]),
    tests(
      "GatebookCurlTests",
      [
        "GatebookCurl", "GatebookAuthentication", "GatebookCrypto", "GatebookEvents",
        "GatebookSystem", "GatebookFakes", "COpenSSL",
      ]),
    tests(
      "GatebookSecretServiceTests",
      ["GatebookSecretService", "GatebookStore", "GatebookEvents"]),
    tests("GatebookTestSupportTests", ["GatebookTestSupport", "Gatebook"]),
    tests(
      "GatebookFakesTests",
      ["GatebookFakes", "GatebookTestSupport", "Gatebook", "GatebookCrypto", "COpenSSLTLS"]),
    tests(
      "GatebookProxyTests",
      [
        "GatebookProxy", "Gatebook", "GatebookCurl", "GatebookFakes", "GatebookSystem",
        "GatebookTestSupport",
      ]),
    tests(
      "GatebookLoginPageTests",
      [
        "GatebookLoginPage", "Gatebook", "GatebookAuthentication", "GatebookCrypto", "GatebookCurl",
        "GatebookFakes", "GatebookProxy", "GatebookSystem", "GatebookTestSupport",
      ]),
    tests(
      "GatebookFleetTests",
      [
        "GatebookFleet", "Gatebook", "GatebookStore", "GatebookEvents", "GatebookCrypto",
        "GatebookSystem", "GatebookTestSupport", "GatebookCLI", "CPostgreSQL", "CSQLite",
      ]),
    .executableTarget(
      name: "DumpedBook", dependencies: ["Gatebook"], path: "Tests/DumpedBook",
      swiftSettings: strict),
    tests(
      "GatebookCLITests",
      [
        "GatebookCLI", "GatebookDemoServers", "Gatebook", "GatebookCurl", "GatebookStore",
        "GatebookSystem", "CSQLite", "GatebookFakes", "GatebookTestSupport", "DumpedBook",
      ],
      exclude: ["Snapshots"]),
    .executableTarget(
      name: "CrowdedBook", dependencies: ["Gatebook", "GatebookCurl", "GatebookSystem"],
      path: "Tests/CrowdedBook", swiftSettings: strict),
    tests("GatebookServerTests", ["GatebookCLI", "CrowdedBook", "GatebookTestSupport"]),
    tests(
      "GatebookSampleTests",
      ["PreemptiveLogin", "RememberMe", "Gatebook", "GatebookFakes"]),
  ],
  swiftLanguageModes: [.v6]
)
